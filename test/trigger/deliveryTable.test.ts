import { parseDelivery } from '../../nodes/CardPlatform/webhook/delivery';
import { SigningKeyCache, toSigningKeys } from '../../nodes/CardPlatform/webhook/signingKeys';
import { verify } from '../../nodes/CardPlatform/webhook/verify';
import { type Case, deliveryTable, movedTo, NOW } from '../support/deliveryTable';

async function outcomeOf(delivery: Case, now = NOW): Promise<string> {
	const [signingSecret, previousSigningSecret, testSigningSecret] = delivery.secrets;
	const source = {
		id: 'node',
		fetch: async () => toSigningKeys({ signingSecret, previousSigningSecret, testSigningSecret }),
	};
	const forgery = await verify(delivery, new SigningKeyCache(), source, now);
	if (forgery !== undefined) return forgery;
	const result = parseDelivery(delivery, now, delivery.timestampTolerance);
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

// A real n8n gets it like this, as its clock cannot be set.
test.each(['2027-03-28T00:59:31.234Z', '2024-02-29T23:59:29.999Z'])(
	'the table holds at %s too, for half a minute',
	async (time) => {
		const start = Date.parse(time);
		const moved = deliveryTable.map((each) => movedTo(start, each));
		for (const now of [start, start + 29_000]) {
			const outcomes = moved.map(async (each) => [each.name, await outcomeOf(each, now)]);
			expect(await Promise.all(outcomes)).toEqual(
				moved.map(({ name, expected }) => [name, expected]),
			);
		}
	},
);
