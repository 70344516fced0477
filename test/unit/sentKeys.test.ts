import { SentKeys } from '../../nodes/CardPlatform/actions/account/sentTransfers';

test('10 000 keys are remembered; the oldest is forgotten first', () => {
	const keys = new SentKeys();
	const sent = (index: number) => ({ key: `key-${index}`, transfer: 'x', sentAt: Date.now() });
	for (let index = 0; index < 10_000; index++) keys.add('api', 'caller', sent(index));
	expect(keys.find('api', 'key-0')).toMatchObject({ transfer: 'x', outcome: 'sent' });
	keys.add('api', 'caller', sent(10_000));
	expect(keys.find('api', 'key-0')).toBeUndefined();
	expect(keys.find('api', 'key-1')).toBeDefined();
	expect(keys.find('api', 'key-10000')).toBeDefined();
});

test('a key that is added again, after it was refused or is too old, is the newest', () => {
	const keys = new SentKeys();
	const sent = (index: number) => ({ key: `key-${index}`, transfer: 'x', sentAt: Date.now() });
	keys.add('api', 'caller', sent(0)).outcome = 'refused';
	for (let index = 1; index < 10_000; index++) keys.add('api', 'caller', sent(index));
	keys.add('api', 'caller', sent(0));
	keys.add('api', 'caller', sent(10_000));
	expect(keys.find('api', 'key-0')).toBeDefined();
	expect(keys.find('api', 'key-1')).toBeUndefined();
});
