/** One page of the dashboard, as the navigation shows it. */
export interface Tab {
	/** Last part of its path below /dashboard, and name of its script. */
	name: 'api' | 'webhooks' | 'simulate' | 'cards' | 'transactions';
	label: string;
	title: string;
	lede: string;
}

/** All pages, by the heading that they stand under in the navigation; §5.2 and §6 name the first two. */
export const TABS: { heading: string; tabs: Tab[] }[] = [
	{
		heading: 'Developer settings',
		tabs: [
			{
				name: 'api',
				label: 'API',
				title: 'API',
				lede: 'The key that your systems send with every request to the public API.',
			},
			{
				name: 'webhooks',
				label: 'Webhooks',
				title: 'Webhooks',
				lede: 'URLs that receive card financial events as signed POST requests.',
			},
		],
	},
	{
		heading: 'Card network',
		tabs: [
			{
				name: 'simulate',
				label: 'Simulate',
				title: 'Simulate',
				lede: 'Simulate the card network: pay with a card and see how the platform responds.',
			},
		],
	},
	{
		heading: 'Company',
		tabs: [
			{
				name: 'cards',
				label: 'Cards',
				title: 'Cards',
				lede: 'All cards of the customer, with their available limits.',
			},
			{
				name: 'transactions',
				label: 'Transactions',
				title: 'Transactions',
				lede: 'All card transactions, newest first.',
			},
		],
	},
];
