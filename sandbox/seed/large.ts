import type { SeedData, SeedTransaction } from './data.ts';
import { smallCompany } from './small.ts';

/** Transactions that a large company has together with those of the small one. */
const TRANSACTION_COUNT = 100_000;

const NEW_CARDS = 240;
const DAYS = 400;

/** The small company with more cards and transactions, the same in every sandbox. */
export function largeCompany(): SeedData {
	const small = smallCompany();
	const cards = Array.from({ length: NEW_CARDS }, (_, index) => ({
		name: `Employee ${index + 1}`,
		type: 'recurring' as const,
		status: 'active' as const,
		accountId: index % 2 === 0 ? 1001 : 1002,
		lastFour: String(1_001 + small.cards.length + index),
		days: DAYS + 1 + index / 24,
		categories: [],
		limit: { amount: 20_000_00, type: 'monthly' },
	}));
	return {
		...small,
		cards: [...small.cards, ...cards],
		transactions: [...small.transactions, ...more(small)],
	};
}

/** Transactions at even distances, the newest first; those of the last day are still pending. */
function* more({ cards, merchants, transactions }: SeedData): Generator<SeedTransaction> {
	const random = mulberry32(1);
	const names = Object.keys(merchants);
	const count = TRANSACTION_COUNT - transactions.length;
	for (let index = 0; index < count; index++) {
		const card = cards.length + 1 + Math.floor(random() * NEW_CARDS);
		const merchant = names[Math.floor(random() * names.length)] ?? '';
		const hoursAgo = ((index + 1) * DAYS * 24) / count;
		const amount = 1_00 + Math.floor(random() * 60_00);
		const later = random() < 0.95 ? 'settled' : 'declined';
		const outcome = hoursAgo < 24 ? 'pending' : later;
		yield { card, merchant, hoursAgo, amount, currency: 'USD', outcome, reason: 'suspected_fraud' };
	}
}

/** Numbers from 0 (included) to 1, the same for the same seed. */
const mulberry32 = (state: number) => (): number => {
	state = (state + 0x6d2b79f5) >>> 0;
	let mixed = Math.imul(state ^ (state >>> 15), state | 1);
	mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
	return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};
