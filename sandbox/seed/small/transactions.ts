import type { MERCHANTS } from './merchants.ts';

/**
 * A seeded transaction in one line: number of the card, hours ago, authorized amount in minor
 * units, merchant, and how it went on; `declined` with the reason.
 */
export type TransactionLine = [
	card: number,
	hoursAgo: number,
	amount: number,
	merchant: keyof typeof MERCHANTS,
	outcome: 'pending' | 'settled' | 'released' | 'refund' | { declined: string },
];

const overLimit = { declined: 'card_limit_exceeded' };
const frozen = { declined: 'card_frozen' };
const archived = { declined: 'card_archived' };
const spent = { declined: 'single_use_card_spent' };
const fraud = { declined: 'suspected_fraud' };

/** The small company's transactions of the last months, the newest first. */
export const TRANSACTIONS: TransactionLine[] = [
	[12, 2, 184_20, 'restaurant', 'pending'],
	[8, 4, 1_250_00, 'ads', 'pending'],
	[3, 7, 38_50, 'taxi', 'pending'],
	[10, 9, 640_00, 'ads', frozen],
	[2, 15, 219_99, 'electronics', 'pending'],
	[6, 20, 86_40, 'courier', frozen],
	[3, 26, 412_80, 'hotel', 'pending'],
	[2, 31, 2_899_00, 'jeweller', fraud],
	[8, 40, 1_250_00, 'ads', 'settled'],
	[3, 49, 350_00, 'hotel', 'released'],
	[1, 55, 3_120_45, 'cloud', 'settled'],
	[9, 66, 79_00, 'design', 'settled'],
	[12, 74, 96_75, 'restaurant', 'settled'],
	[2, 88, 54_30, 'paper', 'settled'],
	[3, 101, 624_10, 'airline', 'settled'],
	[3, 105, 624_10, 'airline', 'refund'],
	[6, 119, 142_00, 'courier', 'settled'],
	[8, 136, 1_250_00, 'ads', 'settled'],
	[5, 150, 1_00, 'unnamed', 'released'],
	[1, 166, 189_00, 'monitoring', 'settled'],
	[12, 190, 2_700_00, 'restaurant', overLimit],
	[2, 205, 17_85, 'paper', 'settled'],
	[8, 232, 1_250_00, 'ads', 'settled'],
	[2, 250, 129_00, 'electronics', 'refund'],
	[3, 271, 45_20, 'taxi', 'settled'],
	[9, 290, 49_00, 'design', 'settled'],
	[6, 311, 75_25, 'courier', 'settled'],
	[8, 328, 1_250_00, 'ads', 'settled'],
	[12, 350, 142_60, 'restaurant', 'settled'],
	[3, 372, 534_00, 'hotel', 'settled'],
	[1, 395, 22_75, 'unnamed', 'settled'],
	[11, 420, 80_00, 'caterer', archived],
	[8, 460, 1_250_00, 'ads', 'settled'],
	[10, 512, 1_800_00, 'ads', 'settled'],
	[9, 560, 900_00, 'design', overLimit],
	[7, 601, 59_00, 'unnamed', archived],
	[2, 655, 312_40, 'paper', 'settled'],
	[1, 780, 2_954_10, 'cloud', 'settled'],
	[4, 840, 650_00, 'tradeFair', spent],
	[3, 905, 288_00, 'airline', 'settled'],
	[4, 1_030, 4_200_00, 'tradeFair', 'settled'],
	[4, 1_032, 1_00, 'tradeFair', 'released'],
	[11, 1_400, 1_135_50, 'caterer', 'settled'],
	[7, 2_300, 59_00, 'unnamed', 'settled'],
];
