/** What is enabled for an account (§1, §5.5); requests for a feature that is off get a 403. */
export interface Features {
	cardManagement: boolean;
	accountManagement: boolean;
	webhooks: boolean;
}

/** An account of the customer (§2 Account). A sandbox holds exactly one customer. */
export interface Account {
	id: number;
	name: string;
	features: Features;
}

/** Who sends a request, as its API key tells (§5.4). */
export type Caller = { scope: 'customer' } | { scope: 'account'; accountId: number };
