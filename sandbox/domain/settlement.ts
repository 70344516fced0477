/** A part of a transaction that was cleared, or a refund (§2 Settlement); `amount` in minor units. */
export interface Settlement {
	id: string;
	transactionId: string;
	cardId: string;
	amount: number;
	currency: string;
	/** When it was cleared: RFC 3339 in UTC. */
	createdAt: string;
}
