import { cardIdOf, envelope, uuid } from './pages.ts';

const DAY = 86_400_000;

/** Purchases of a card in 30 days. */
const PURCHASES_PER_CARD = 20;

/** How far back the purchases go. */
const HISTORY = 40 * DAY;

/** Cards that make purchases at a steady rate, and a moment in milliseconds since 1970. */
export interface CardActivity {
	cards: number;
	now: number;
}

interface Purchase {
	number: number;
	cardId: string;
	createdAt: number;
	isCleared: boolean;
}

const spacingOf = (cards: number) => (30 * DAY) / (PURCHASES_PER_CARD * cards);

/** The purchase with a number: they are numbered by time, and the cards take turns. */
const purchaseOf = ({ cards, now }: CardActivity, number: number): Purchase => {
	const createdAt = Math.round(number * spacingOf(cards));
	return {
		number,
		cardId: cardIdOf(number % cards),
		createdAt,
		isCleared: createdAt + DAY <= now,
	};
};

/** Numbers of the oldest and the newest purchase in a time. */
function numbersIn({ cards, now }: CardActivity, from = -Infinity, to = Infinity) {
	const spacing = spacingOf(cards);
	const first = Math.ceil(Math.max(from, now - HISTORY) / spacing);
	const last = Math.floor(Math.min(to, now) / spacing);
	return { first, last };
}

/** How many purchases there are after a moment, up to another one. */
export const purchasesBetween = (cards: number, after: number, until: number): number =>
	Math.floor(until / spacingOf(cards)) - Math.floor(after / spacingOf(cards));

const main = ({ number, cardId, createdAt }: Purchase) => ({
	cardId,
	amount: `${(number % 900) + 1}.50`,
	amountDirection: 'debit',
	currency: 'USD',
	createdAt: new Date(createdAt).toISOString(),
	merchantName: `Office supplies no. ${number % 300}`,
});

/** One page of GET /transactions (§4.8), as JSON. */
export function purchasePage(
	activity: CardActivity,
	range: { from: number; to: number },
	page: number,
	pageSize: number,
): string {
	const { first, last } = numbersIn(activity, range.from, range.to);
	const total = Math.max(last - first + 1, 0);
	return envelope(total, page, pageSize, (place) => {
		const number = last - place;
		const purchase = purchaseOf(activity, number);
		const status = purchase.isCleared ? 'settled' : 'pending';
		return { id: uuid('7', number), status, ...main(purchase) };
	});
}

/** One page of GET /cards (§4.3), as JSON. */
export function cardPage({ cards }: CardActivity, page: number, pageSize: number): string {
	return envelope(cards, page, pageSize, (place) => ({
		id: cardIdOf(place),
		name: `Card ${place}`,
		lastFour: '4242',
		status: 'active',
	}));
}

/** The events of a card (§4.6), as JSON: each purchase, and its clearing a day later. */
export function eventsOfCard(activity: CardActivity, cardId: string): string {
	const { cards } = activity;
	const place = parseInt(cardId.slice(-12), 16);
	const { first, last } = numbersIn(activity);
	const events = [];
	for (let number = last - ((last - place) % cards); number >= first; number -= cards) {
		const purchase = purchaseOf(activity, number);
		const event = { transactionId: uuid('7', number), isSuccess: true, ...main(purchase) };
		if (purchase.isCleared) events.push({ id: uuid('e1', number), ...event });
		events.push({ id: uuid('e0', number), ...event });
	}
	return JSON.stringify(events);
}
