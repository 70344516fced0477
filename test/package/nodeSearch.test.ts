import { sublimeSearch } from '@n8n/utils/search/sublime-search';

import codex from '../../nodes/CardPlatform/CardPlatform.node.json';

// By n8n's own search. It shows action and triggers as one entry, so that the words of one are enough.
test.each([
	...['card', 'corporate card', 'company card', 'virtual card', 'block card', 'freeze'],
	...['expense', 'transaction', 'payments', 'balance', 'fraud', 'decline', 'cards', 'spending'],
	...['transactions', 'declined', 'purchase', 'settlement', 'bank', 'freeze card', 'unfreeze'],
	...['refund', 'spend', 'statement', 'frozen cards', 'list cards', 'company cards'],
	...['transfer money', 'settled'],
])('n8n finds the node by "%s"', (words) => {
	const node = { properties: { displayName: 'Card Platform', codex } };
	expect(sublimeSearch(words, [node])).toHaveLength(1);
});
