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
		text: 'The merchant collects this much of what is held. What remains stays pending.',
		of: 'held',
		partial: true,
	},
	{
		path: 'release',
		label: 'Release',
		text: 'The authorization lapses: nothing more is collected for it.',
		of: 'held',
		partial: false,
	},
	{
		path: 'reversal',
		label: 'Reverse',
		text: 'The merchant gives this much of what is held free again.',
		of: 'held',
		partial: true,
	},
	{
		path: 'refund',
		label: 'Refund',
		text: 'The merchant pays this much of what it collected back to the card.',
		of: 'refundable',
		partial: true,
	},
];
