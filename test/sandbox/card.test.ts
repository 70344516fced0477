import { z } from 'zod/v4';

import { operations } from '../support/openapi';
import {
	cardId,
	errorAnswer,
	refused,
	startSandbox,
	type TestSandbox,
	UNKNOWN_ID,
} from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
const ACTIVE = cardId(1);
const FROZEN = cardId(6);
const ARCHIVED = cardId(7);

const statusOf = async (sandbox: TestSandbox, id: string) =>
	z.object({ status: z.string() }).parse((await sandbox.api('GET', `/cards/${id}`)).body).status;

test('a card with a limit shows limit and balance as decimal strings', async () => {
	const sandbox = await startSandbox({ now: () => NOW });
	expect(await sandbox.api('GET', `/cards/${cardId(9)}`)).toEqual({
		status: 200,
		body: {
			id: cardId(9),
			createdAt: '2024-10-31T12:00:00.000Z',
			lastFour: '1904',
			name: 'Design tools',
			status: 'active',
			type: 'recurring',
			categories: ['saas_software'],
			category: 'saas_software',
			limit: { amount: '800.00', type: 'monthly' },
			balance: '672.00',
		},
	});
});

test.each([
	// 3000.00 - 219.99 - 54.30 - 17.85 - 312.40; the decline was for 2899.00, the refund of 129.00.
	['a decline and the refund of an unknown purchase do not count', 2, '2026-03-31', '2395.46'],
	['a monthly limit starts again each month', 9, '2026-03-01', '800.00'],
])('balance: %s', async (_, number, day, balance) => {
	const sandbox = await startSandbox({ now: () => new Date(`${day}T00:30:00Z`) });
	const path = `/cards/${cardId(number).toUpperCase()}`;
	expect((await sandbox.api('GET', path)).body).toMatchObject({ id: cardId(number), balance });
});

test.each([
	[ACTIVE, 'freeze', 204, 'frozen'],
	[FROZEN, 'freeze', 204, 'frozen'],
	[ARCHIVED, 'freeze', 400, 'archived'],
	[FROZEN, 'unfreeze', 204, 'active'],
	[ACTIVE, 'unfreeze', 204, 'active'],
	[ARCHIVED, 'unfreeze', 400, 'archived'],
	[ACTIVE, 'archive', 204, 'archived'],
	[FROZEN, 'archive', 204, 'archived'],
	[ARCHIVED, 'archive', 204, 'archived'],
])('§3: %s: %s gives %d and %s', async (id, action, status, after) => {
	const sandbox = await startSandbox();
	const answer = await sandbox.api('POST', `/cards/${id}/${action}`);
	expect(answer).toEqual(status === 204 ? { status, body: undefined } : refused());
	expect(await statusOf(sandbox, id)).toBe(after);
});

test("§4.7: sensitive details are instructions without a card number, whatever the card's status", async () => {
	const sandbox = await startSandbox();
	for (const number of [1, 6, 7]) {
		const answer = await sandbox.api('GET', `/cards/${cardId(number)}/sensitive-details`);
		expect(answer).toEqual({
			status: 200,
			body: {
				method: expect.stringMatching(/\S/),
				details: {
					method: 'POST',
					url: expect.stringMatching(/^https:\/\//),
					bodyJson: { cardId: cardId(number), token: expect.any(String) },
				},
			},
		});
		expect(JSON.stringify(answer.body)).not.toMatch(/\b\d{16}\b/);
	}
});

test.each(
	operations
		.filter(({ path }) => path.includes('{card-id}'))
		.map(
			({ method, path, responses }) => [method, path, responses.has('400') ? 400 : 404] as const,
		),
)(
	"%s %s: 404 for an unknown card and another account's, %d for an id that is no uuid",
	async (method, path, status) => {
		const sandbox = await startSandbox();
		await sandbox.makeKey(1002);
		for (const id of [UNKNOWN_ID, ACTIVE]) {
			expect(await sandbox.api(method, path.replace('{card-id}', id))).toEqual(
				errorAnswer(404, 'not-found'),
			);
		}
		expect((await sandbox.api(method, path.replace('{card-id}', '42'))).status).toBe(status);
		await sandbox.makeKey();
		expect(await statusOf(sandbox, ACTIVE)).toBe('active');
	},
);
