/** A transaction of the model; `entry` is what the sandbox should have of it. Amounts in minor units. */
interface ModelTransaction {
	account: number;
	entry: {
		amount: number;
		cleared: number;
		refunded: number;
		status: 'pending' | 'declined' | 'settled' | 'released';
		direction: 'debit' | 'credit';
	};
}

/** An account of the model; what is owed was cleared and not refunded. Amounts in minor units. */
interface ModelAccount {
	limit: number;
	owed: number;
}

/** What the money of a sandbox with two accounts should be, computed apart from it. */
export interface Ledger {
	/** By their place, which is how the others name them. */
	accounts: ModelAccount[];
	/** What the card of each account may spend, in minor units. */
	cardLimit: number;
	/** In the order in which they were made. */
	transactions: ModelTransaction[];
	/** The first transfer of each Idempotency-Key. */
	keys: Map<string, { from: number; amount: number }>;
	events: number;
}

/** What is authorized and not cleared of an account. */
export const held = ({ transactions }: Ledger, account: number): number =>
	transactions
		.filter((one) => one.account === account && one.entry.status === 'pending')
		.reduce((sum, { entry }) => sum + entry.amount - entry.cleared, 0);

function available(ledger: Ledger, account: number): number {
	const { limit, owed } = ledger.accounts[account] ?? { limit: 0, owed: 0 };
	return limit - owed - held(ledger, account);
}

/** What counts towards the limit of an account's card. */
export const spent = ({ transactions }: Ledger, account: number): number =>
	transactions
		.filter(({ entry }) => entry.direction === 'debit' && entry.status !== 'declined')
		.filter((one) => one.account === account)
		.reduce((sum, { entry }) => sum + entry.amount - entry.refunded, 0);

const isApproved = (ledger: Ledger, account: number, amount: number): boolean =>
	amount <= available(ledger, account) && spent(ledger, account) + amount <= ledger.cardLimit;

/** Records an authorization; tells whether it is approved. */
export function authorizeIn(ledger: Ledger, account: number, amount: number): boolean {
	const approved = isApproved(ledger, account, amount);
	const status = approved ? 'pending' : 'declined';
	const entry = { amount, cleared: 0, refunded: 0, status, direction: 'debit' } as const;
	ledger.transactions.push({ account, entry: { ...entry } });
	ledger.events += 1;
	return approved;
}

/** Records a transfer from one account to the other; tells whether it is accepted. */
export function transferIn(ledger: Ledger, from: number, amount: number, key: string): boolean {
	const first = ledger.keys.get(key);
	if (first) return first.from === from && first.amount === amount;
	const [source, destination] = [ledger.accounts[from], ledger.accounts[1 - from]];
	if (!source || !destination || amount > available(ledger, from)) return false;
	source.limit -= amount;
	destination.limit += amount;
	ledger.keys.set(key, { from, amount });
	return true;
}

/** Records a step of a transaction; tells whether it is accepted, an increment also when it is declined. */
export function stepIn(
	ledger: Ledger,
	step: 'increment' | 'clearing' | 'release' | 'reversal' | 'refund',
	{ account, entry }: ModelTransaction,
	requested: number | undefined,
): boolean {
	if (step === 'increment') {
		if (requested === undefined || entry.status !== 'pending') return false;
		if (isApproved(ledger, account, requested)) entry.amount += requested;
		ledger.events += 1;
		return true;
	}
	const possible = step === 'refund' ? refundable(entry) : holdOf(entry);
	const amount = requested ?? possible;
	const owner = ledger.accounts[account];
	if (!owner || amount > possible || amount === 0) return false;
	ledger.events += 1;
	if (step === 'refund') {
		entry.refunded += amount;
		owner.owed -= amount;
		const refund = { amount, cleared: amount, refunded: 0 };
		ledger.transactions.push({
			account,
			entry: { ...refund, status: 'settled', direction: 'credit' },
		});
		return true;
	}
	if (step === 'clearing') {
		entry.cleared += amount;
		owner.owed += amount;
	} else {
		entry.amount -= amount;
	}
	if (entry.amount === entry.cleared) entry.status = entry.cleared > 0 ? 'settled' : 'released';
	return true;
}

const refundable = ({ direction, cleared, refunded }: ModelTransaction['entry']): number =>
	direction === 'debit' ? cleared - refunded : 0;

const holdOf = ({ status, amount, cleared }: ModelTransaction['entry']): number =>
	status === 'pending' ? amount - cleared : 0;
