import { parseDelivery } from '../../nodes/CardPlatform/webhook/delivery';
import { KeyCache, toKeys } from '../../nodes/CardPlatform/webhook/keys';
import { verify } from '../../nodes/CardPlatform/webhook/verify';
import { type Case, deliveryTable, NOW } from '../support/deliveryTable';

async function outcomeOf(delivery: Case): Promise<string> {
	const [signingSecret, previousSigningSecret] = delivery.secrets;
	const source = {
		id: 'node',
		fetch: async () => toKeys({ signingSecret, previousSigningSecret }),
	};
	const forgery = await verify(delivery, new KeyCache(), source, NOW);
	if (forgery !== undefined) return forgery;
	const result = parseDelivery(delivery, NOW, delivery.freshness);
	return result.kind === 'accepted' ? result.kind : result.reason;
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
