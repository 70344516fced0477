/** A payment (§2); `amount` in minor units, `dueDate` as YYYY-MM-DD. */
export interface Payment {
	id: string;
	accountId: number;
	amount: number;
	dueDate: string;
	/** One of PAYMENT_STATUSES. */
	status: string;
	/** One of PAYMENT_TYPES. */
	type: string;
	descriptor: string;
}
