import { cardId, errorAnswer, startSandbox } from './support/sandbox.ts';

/** A card of account 1001. */
const CARD = cardId(3);
/** Nobody listens there, and nothing is sent a second time during a test. */
const NOWHERE = 'http://127.0.0.1:9/';
const PATIENT = { deliveries: { baseDelay: 3_600_000, maxDelay: 3_600_000 } };

async function withDeliveries(count: number) {
	const sandbox = await startSandbox(PATIENT);
	const { client } = sandbox;
	const { id: endpointId } = await client.subscribe(1001, NOWHERE);
	const ids: string[] = [];
	for (let index = 0; index < count; index++) {
		const { deliveries } = await client.authorize({ cardId: CARD, amount: '0.01' });
		ids.push(...deliveries.map(({ id }) => id));
	}
	return { sandbox, client, endpointId, ids };
}

const idsOf = (deliveries: { id: string }[]) => deliveries.map(({ id }) => id);

test('the log comes in pages of at most 100, the newest delivery first', async () => {
	const { sandbox, client, ids } = await withDeliveries(103);
	const newestFirst = [...ids].reverse();
	const { data, ...first } = await client.deliveriesPage();
	expect(idsOf(data)).toEqual(newestFirst.slice(0, 100));
	expect(first).toEqual({
		page: 1,
		pageSize: 100,
		totalItemCount: 103,
		totalPages: 2,
		totalItemCountCapped: false,
	});
	const second = await client.deliveriesPage({ page: '3', pageSize: '50' });
	expect(idsOf(second.data)).toEqual(newestFirst.slice(100));
	expect(await sandbox.control('GET', '/deliveries?pageSize=101')).toEqual(
		errorAnswer(400, 'bad-request'),
	);
});

test('the client follows the pages and gives every delivery once, the oldest first', async () => {
	const { client, ids } = await withDeliveries(203);
	expect(idsOf(await client.deliveries())).toEqual(ids);
});

test('a page is filtered by status and endpoint, and has the attempts of its deliveries', async () => {
	const { client, endpointId, ids } = await withDeliveries(2);
	await client.unsubscribe({ id: endpointId });
	await client.subscribe(1001, NOWHERE);
	const { deliveries } = await client.authorize({ cardId: CARD, amount: '0.01' });
	const failed = await client.deliveriesPage({ status: 'failed' });
	expect(idsOf(failed.data)).toEqual([...ids].reverse());
	const pending = await client.deliveriesPage({ status: 'pending' });
	expect(idsOf(pending.data)).toEqual(idsOf(deliveries));
	expect(await client.deliveriesPage({ endpointId, status: 'pending' })).toMatchObject({
		data: [],
		totalItemCount: 0,
	});
});
