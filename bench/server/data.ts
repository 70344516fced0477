const MINUTE = 60_000;
const DAY = 86_400_000;

/** Purchases of a card in 30 days, and how far back they go, where cards are in use. */
const PURCHASES_PER_CARD = 20;
const HISTORY = 40 * DAY;

/** Purchases at a steady rate. They are numbered by time, and the cards take turns. */
export interface Purchases {
	cards: number;
	/** Milliseconds from one to the next; number 0 was made in 1970. */
	spacing: number;
	first: number;
	last: number;
	/** Purchases of the last day are not cleared yet. */
	now: number;
}

/** As many cleared purchases as wanted, of 100 cards. */
export function listOfPurchases(count: number): Purchases {
	const now = Date.UTC(2026, 10, 1);
	const last = Math.floor((now - DAY) / MINUTE);
	return { cards: 100, spacing: MINUTE, first: last - count + 1, last, now };
}

/** The purchases of cards that are in use, at a moment in milliseconds since 1970. */
export function purchasesAt(now: number, cards: number): Purchases {
	const spacing = (30 * DAY) / (PURCHASES_PER_CARD * cards);
	const first = Math.ceil((now - HISTORY) / spacing);
	return { cards, spacing, first, last: Math.floor(now / spacing), now };
}

const uuid = (kind: string, number: number) =>
	`${kind.padEnd(8, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

/** The ID of a card of the bench's API, which has any number of them. */
export const cardIdOf = (number: number): string => uuid('c', number);

const createdAtOf = ({ spacing }: Purchases, number: number) => Math.round(number * spacing);

const isCleared = (purchases: Purchases, number: number) =>
	createdAtOf(purchases, number) + DAY <= purchases.now;

const purchase = (purchases: Purchases, number: number) => ({
	cardId: cardIdOf(number % purchases.cards),
	amount: `${(number % 900) + 1}.50`,
	amountDirection: 'debit',
	currency: 'USD',
	createdAt: new Date(createdAtOf(purchases, number)).toISOString(),
	merchantName: `Office supplies no. ${number % 300}`,
});

/** Which page of a list is requested. */
export interface PageRequest {
	page: number;
	pageSize: number;
}

/** One page of GET /transactions (§4.8), newest first. */
export function transactionPage(
	purchases: Purchases,
	{ from, to }: { from: number; to: number },
	request: PageRequest,
): object {
	const first = Math.max(purchases.first, Math.ceil(from / purchases.spacing));
	const last = Math.min(purchases.last, Math.floor(to / purchases.spacing));
	return envelope(Math.max(last - first + 1, 0), request, (place) => {
		const number = last - place;
		const status = isCleared(purchases, number) ? 'settled' : 'pending';
		return { id: uuid('7', number), status, ...purchase(purchases, number) };
	});
}

/** One page of GET /cards (§4.3). */
export function cardPage({ cards }: Purchases, request: PageRequest): object {
	return envelope(cards, request, (place) => ({
		id: cardIdOf(place),
		name: `Card ${place}`,
		lastFour: '4242',
		status: 'active',
	}));
}

/** The events of a card (§4.6): each purchase, and its clearing a day later. */
export function eventsOfCard(purchases: Purchases, cardId: string): object[] {
	const { cards, first, last } = purchases;
	const card = parseInt(cardId.slice(-12), 16);
	const events = [];
	for (let number = last - ((last - card) % cards); number >= first; number -= cards) {
		const event = {
			transactionId: uuid('7', number),
			isSuccess: true,
			...purchase(purchases, number),
		};
		if (isCleared(purchases, number)) events.push({ id: uuid('e1', number), ...event });
		events.push({ id: uuid('e0', number), ...event });
	}
	return events;
}

/** A page in its envelope (§2). */
function envelope(
	totalItemCount: number,
	{ page, pageSize }: PageRequest,
	rowAt: (place: number) => object,
): object {
	const first = (page - 1) * pageSize;
	const length = Math.max(0, Math.min(pageSize, totalItemCount - first));
	return {
		data: Array.from({ length }, (_, index) => rowAt(first + index)),
		page,
		pageSize,
		totalItemCount,
		totalPages: Math.max(1, Math.ceil(totalItemCount / pageSize)),
		totalItemCountCapped: false,
	};
}
