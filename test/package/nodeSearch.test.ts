import { sublimeSearch } from '@n8n/utils/search/sublime-search';

import codex from '../../nodes/CardPlatform/CardPlatform.node.json';
import { CardPlatformPollingTrigger } from '../../nodes/CardPlatform/CardPlatformPollingTrigger.node';
import pollingCodex from '../../nodes/CardPlatform/CardPlatformPollingTrigger.node.json';

// By n8n's own search. It shows action and triggers as one entry, so that the words of one are enough.
test.each([
	...['card', 'corporate card', 'company card', 'virtual card', 'block card', 'freeze'],
	...['expense', 'transaction', 'payments', 'balance', 'fraud', 'decline', 'cards', 'spending'],
	...['transactions', 'declined', 'purchase', 'settlement', 'bank', 'freeze card', 'unfreeze'],
	...['refund', 'spend', 'statement', 'frozen cards', 'company cards'],
	...['transfer money', 'settled'],
])('n8n finds the node by "%s"', (words) => {
	const node = { properties: { displayName: 'Card Platform', codex } };
	expect(sublimeSearch(words, [node])).toHaveLength(1);
});

test.each(['transaction settled', 'card frozen', 'payment due', 'low credit'])(
	'n8n finds the polling trigger by "%s"',
	(words) => {
		const properties = { displayName: 'Card Platform Polling Trigger', codex: pollingCodex };
		expect(sublimeSearch(words, [{ properties }])).toHaveLength(1);
	},
);

// As n8n's node search makes them: of the options of the first property with one of these labels.
test('the node search offers an action for each thing to watch, which sets it', () => {
	const { properties } = new CardPlatformPollingTrigger().description;
	const labels = ['event', 'events', 'trigger on'];
	const first = properties.find(({ displayName }) => labels.includes(displayName.toLowerCase()));
	const options = first?.options as { action: string; value: string }[];
	expect(first?.name).toBe('watch');
	expect(first?.displayOptions).toBeUndefined();
	expect(Object.fromEntries(options.map(({ action, value }) => [action, value]))).toEqual({
		'On card event': 'cardEvents',
		'On transaction settled': 'transactions',
		'On card frozen': 'cards',
		'On payment due': 'payments',
		'On low credit': 'balance',
	});
});
