import type { Account } from '../domain/account.ts';

const everything = { cardManagement: true, accountManagement: true, webhooks: true };

/** The customer's accounts. Every seed has them, as no endpoint (§4) makes an account. */
export const ACCOUNTS: Account[] = [
	{ id: 1001, name: 'Operating', features: everything },
	{ id: 1002, name: 'Marketing', features: everything },
];
