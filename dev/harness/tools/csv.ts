/** The rows of a CSV file, as a program reads them: quotes hold commas, line breaks and doubled quotes. */
export function readCsv(text: string): string[][] {
	const rows: string[][] = [[]];
	const cell = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/gy;
	// The mark at the start says that it is UTF-8.
	for (const [, value = '', end = ''] of text.replace(/^\uFEFF/, '').matchAll(cell)) {
		const plain = value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value;
		rows.at(-1)?.push(plain);
		if (end === '') break;
		if (end !== ',') rows.push([]);
	}
	return rows;
}
