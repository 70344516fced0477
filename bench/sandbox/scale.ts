/**
 * Measures what may grow with what a sandbox holds: `node bench/sandbox/scale.ts`. Times are those of
 * the processor, in milliseconds, so that other programs on the machine disturb them less; they include
 * the client.
 */
import { z } from 'zod';

import { startSandbox } from '../../sandbox/server.ts';

const CARD = 'ca4d0000-0000-4000-8000-000000000003';
const BATCH = 200;

const sandbox = await startSandbox({ seed: 'none', deliveries: { baseDelay: 3_600_000 } });

async function send(method: string, path: string, body?: unknown, key = ''): Promise<unknown> {
	const response = await fetch(`${sandbox.url}${path}`, {
		method,
		headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
	return response.json();
}

async function costOf(work: () => Promise<unknown>, times = 1): Promise<number> {
	const before = process.cpuUsage();
	for (let done = 0; done < times; done++) await work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000 / times;
}

const report = (what: string, cost: number): void => {
	console.log(`${what.padEnd(58)} ${cost.toFixed(2).padStart(9)} ms`);
};

const purchase = () =>
	send('POST', '/sandbox/simulate/authorization', { cardId: CARD, amount: '0.01' });
const reset = (seed: string) => send('POST', '/sandbox/reset', { seed });

await reset('small');
await costOf(purchase, BATCH);
report('authorization on a card with 200 transactions', await costOf(purchase, BATCH));
for (let count = 2 * BATCH; count < 16_000; count++) await purchase();
report('authorization on a card with 16 000 transactions', await costOf(purchase, BATCH));

await reset('small');
const subscribe = (accountId: number, place: number) =>
	send('POST', '/sandbox/endpoints', { accountId, url: `http://127.0.0.1:9/${place}` });
for (let place = 0; place < 2_000; place++) await subscribe(1002, place);
report('authorization, 2 000 endpoints of another account', await costOf(purchase, BATCH));

await reset('small');
for (let place = 0; place < 100; place++) await subscribe(1001, place);
for (let count = 0; count < 20; count++) await purchase();
report('first page of 2 000 deliveries', await costOf(() => send('GET', '/sandbox/deliveries')));

report('reset to the large company', await costOf(() => reset('large')));
const { apiKey } = z
	.object({ apiKey: z.string() })
	.parse(await send('POST', '/sandbox/keys', { scope: 'customer' }));
for (const list of ['transactions', 'settlements']) {
	for (const page of [1, 900]) {
		const path = `/v1/public/${list}?pageSize=100&page=${page}`;
		const read = () => send('GET', path, undefined, apiKey);
		report(`page ${page} of the ${list} of the large company`, await costOf(read, 5));
	}
}
report(
	'the balance of the large company',
	await costOf(() => send('GET', '/v1/public/balance', undefined, apiKey), 5),
);
await sandbox.close();
