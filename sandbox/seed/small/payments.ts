import type { Payment } from '../../payments/payment.ts';

/** A seeded payment: `number` makes its id, `days` is the due date, counted from today. */
export type SeedPayment = Omit<Payment, 'id' | 'dueDate'> & { number: number; days: number };

const payment = (
	number: number,
	accountId: number,
	days: number,
	amount: number,
	status: string,
	type: string,
): SeedPayment => ({
	number,
	accountId,
	days,
	amount,
	status,
	type,
	descriptor: accountId === 1001 ? 'Operating card balance' : 'Marketing card balance',
});

/** The small company's payments. */
export const PAYMENTS: SeedPayment[] = [
	payment(1, 1001, -400, 3_410_00, 'paid', 'automatic'),
	payment(2, 1001, -72, 4_882_35, 'paid', 'automatic'),
	payment(3, 1001, -42, 7_154_10, 'failed', 'automatic'),
	payment(4, 1001, -40, 7_154_10, 'paid', 'manual'),
	payment(5, 1001, 12, 4_930_25, 'scheduled', 'automatic'),
	payment(6, 1002, -70, 5_120_00, 'paid', 'automatic'),
	payment(7, 1002, -40, 8_035_50, 'paid', 'automatic'),
	payment(8, 1002, 12, 6_617_35, 'scheduled', 'automatic'),
];
