/** A uuid that is the same for the same number. */
export const uuid = (scenario: string, number: number) =>
	`${scenario.padEnd(8, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

/** The id of a card of the bench's API, which has as many as are asked for. */
export const cardIdOf = (number: number): string => uuid('c', number);

const start = Date.parse('2026-11-01T00:00:00Z');

function transaction(number: number) {
	return {
		id: uuid('7', number),
		cardId: cardIdOf(number % 100),
		amount: `${(number % 900) + 1}.50`,
		amountDirection: 'debit',
		currency: 'USD',
		status: 'settled',
		createdAt: new Date(start - number * 60_000).toISOString(),
		merchantName: `Office supplies no. ${number % 300}`,
	};
}

/** One page of a list as JSON (§2 Paginated list envelope). */
export function envelope(
	total: number,
	page: number,
	pageSize: number,
	rowAt: (place: number) => object,
): string {
	const first = (page - 1) * pageSize;
	const length = Math.max(0, Math.min(pageSize, total - first));
	return JSON.stringify({
		data: Array.from({ length }, (_, index) => rowAt(first + index)),
		page,
		pageSize,
		totalItemCount: total,
		totalPages: Math.max(1, Math.ceil(total / pageSize)),
		totalItemCountCapped: false,
	});
}

/** One page of a list of `total` transactions, as JSON (§4.8). */
export const transactionPage = (total: number, page: number, pageSize: number): string =>
	envelope(total, page, pageSize, transaction);
