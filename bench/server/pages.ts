/** A uuid that is the same for the same number. */
export const uuid = (scenario: string, number: number) =>
	`${scenario.padEnd(8, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

/** The id of a card of the bench's API, which makes any number of them. */
export const cardIdOf = (number: number): string => uuid('c', number);

const start = Date.parse('2026-11-01T00:00:00Z');

/** The id of a transaction: 0 and above are there from the start, those below 0 are created later. */
export const transactionIdOf = (number: number): string =>
	number < 0 ? uuid('8', -number) : uuid('7', number);

function transaction(number: number) {
	const positive = Math.abs(number);
	return {
		id: transactionIdOf(number),
		cardId: cardIdOf(positive % 100),
		amount: `${(positive % 900) + 1}.50`,
		amountDirection: 'debit',
		currency: 'USD',
		status: 'settled',
		createdAt: new Date(start - number * 60_000).toISOString(),
		merchantName: `Office supplies no. ${positive % 300}`,
	};
}

/** One page of a list as JSON (§2 Paginated list envelope). */
export function envelope(
	total: number,
	page: number,
	pageSize: number,
	rowAt: (place: number) => object,
	countedUpTo = Infinity,
): string {
	const totalItemCount = Math.min(total, countedUpTo);
	const first = (page - 1) * pageSize;
	const length = Math.max(0, Math.min(pageSize, total - first));
	return JSON.stringify({
		data: Array.from({ length }, (_, index) => rowAt(first + index)),
		page,
		pageSize,
		totalItemCount,
		totalPages: Math.max(1, Math.ceil(totalItemCount / pageSize)),
		totalItemCountCapped: totalItemCount < total,
	});
}

/** A list of transactions (§4.8), newest first. */
export interface TransactionList {
	/** Those that are there from the start. */
	transactions: number;
	/** Those that were created since. */
	inserted: number;
	countedUpTo?: number | undefined;
}

/** One page of a list of transactions, as JSON. */
export const transactionPage = (
	{ transactions, inserted, countedUpTo }: TransactionList,
	page: number,
	pageSize: number,
): string =>
	envelope(
		transactions + inserted,
		page,
		pageSize,
		(place) => transaction(place - inserted),
		countedUpTo,
	);
