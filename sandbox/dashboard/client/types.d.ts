/** What the control plane answers, as far as the pages use it. Amounts are decimal strings (§2). */

export interface Account {
	id: number;
	name: string;
}

export interface Overview {
	accounts: Account[];
	counts: { activeApiKeys: number; cards: number; transactions: number };
}

export interface Page<T> {
	data: T[];
	page: number;
	totalItemCount: number;
	totalPages: number;
	totalItemCountCapped: boolean;
}

export interface Card {
	id: string;
	accountId: number;
	name: string;
	lastFour: string;
	status: 'active' | 'frozen' | 'archived';
	type: 'single-use' | 'recurring';
	categories: string[];
	balance?: string;
	limit?: { amount: string; type: string };
}

export interface Transaction {
	id: string;
	cardId: string;
	amount: string;
	amountDirection: 'debit' | 'credit';
	currency: string;
	status: 'pending' | 'declined' | 'settled' | 'released';
	createdAt: string;
	merchantName?: string;
}

/** A transaction as GET /sandbox/transactions lists it. */
export interface ListedTransaction extends Transaction {
	card: { name: string; lastFour: string; accountId: number };
	held: string;
	refundable: string;
}

export interface FinancialEvent {
	id: string;
	transactionId: string;
	amount: string;
	amountDirection: 'debit' | 'credit';
	currency: string;
	isReversal: boolean;
	isSuccess: boolean;
	createdAt: string;
	merchantName?: string;
	issues: { origin: string; reason: string; severity: string }[];
}

/** The answer of a simulation. */
export interface Simulated {
	transaction: Transaction;
	event: FinancialEvent;
}

export interface Endpoint {
	id: string;
	accountId: number;
	url: string;
	createdAt: string;
	failing: boolean;
	failingSince: string | null;
}

export interface Attempt {
	at: string;
	httpStatus: number | null;
	durationMs: number;
	error: string | null;
	responseBody: string;
}

export interface Delivery {
	id: string;
	eventId: string;
	endpointId: string;
	url: string;
	status: 'pending' | 'delivered' | 'failed';
	attempts: Attempt[];
}
