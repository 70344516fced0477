import { authenticate } from '../../nodes/CardPlatform/webhook/authenticate';
import { judge } from '../../nodes/CardPlatform/webhook/delivery';
import { KeyCache } from '../../nodes/CardPlatform/webhook/keyCache';
import { toKeys } from '../../nodes/CardPlatform/webhook/keys';
import { type Case, deliveryTable, NOW } from '../support/deliveryTable';

async function outcomeOf(delivery: Case): Promise<string> {
	const [signingSecret, previousSigningSecret] = delivery.secrets;
	const keys = toKeys({ signingSecret, previousSigningSecret });
	const cache = new KeyCache();
	const authentication = await authenticate(
		delivery,
		async (isMatch) =>
			await cache.check('1', async () => await Promise.resolve(keys), isMatch, NOW),
	);
	if ('rejection' in authentication) return authentication.rejection;
	const verdict = judge(authentication.body, delivery, NOW, delivery.freshness);
	return verdict.kind === 'accepted' ? verdict.kind : verdict.reason;
}

test.each(deliveryTable.map((each) => [each.name, each.expected, each] as const))(
	'%s: %s',
	async (_name, expected, delivery) => {
		expect(await outcomeOf(delivery)).toBe(expected);
	},
);

test('no two deliveries of the table have the same name', () => {
	const names = deliveryTable.map(({ name }) => name);
	expect(names).toEqual([...new Set(names)]);
	expect(names.length).toBeGreaterThanOrEqual(80);
});
