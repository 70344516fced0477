/**
 * What the card network may do next with a transaction: `path` is the last part below
 * /sandbox/simulate, `of` the amount of the transaction that it takes from, and `partial` tells
 * whether it may take less than all of it.
 *
 * @type {{ path: string, label: string, text: string, of: 'held' | 'refundable', partial: boolean }[]}
 */
export const STEPS = [
	{
		path: 'clearing',
		label: 'Clear',
		text: 'The merchant collects this part of the authorized amount. The rest stays pending.',
		of: 'held',
		partial: true,
	},
	{
		path: 'release',
		label: 'Release',
		text: 'The authorization expires: no more of it is collected.',
		of: 'held',
		partial: false,
	},
	{
		path: 'reversal',
		label: 'Reverse',
		text: 'The merchant releases this part of the authorized amount.',
		of: 'held',
		partial: true,
	},
	{
		path: 'refund',
		label: 'Refund',
		text: 'The merchant refunds this part of the collected amount to the card.',
		of: 'refundable',
		partial: true,
	},
];
