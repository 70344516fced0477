/** What is asked for with a transfer (§2 Transfer request), with its source; `amount` in minor units. */
export interface TransferRequest {
	fromAccountId: number;
	toAccountId: number;
	amount: number;
}

/** A transfer (§2). */
export interface Transfer extends TransferRequest {
	id: string;
	status: string;
	createdAt: string;
}
