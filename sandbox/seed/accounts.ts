import type { Account } from '../accounts/account.ts';

/** A seeded account; `creditLimit` in minor units. */
export type SeedAccount = Account & { creditLimit: number };

const everything = { cardManagement: true, accountManagement: true, webhooks: true };

/** The customer's accounts. Every seed has them, as no endpoint (§4) makes an account. */
export const ACCOUNTS: SeedAccount[] = [
	{ id: 1001, name: 'Operating', features: everything, creditLimit: 250_000_00 },
	{ id: 1002, name: 'Marketing', features: everything, creditLimit: 150_000_00 },
];
