import { cardId, errorAnswer, startSandbox, UNKNOWN_ID } from './support/sandbox.ts';

test('§4.7: instructions, and no card number, for a card in any status', async () => {
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

test('an unknown card, a foreign card and no uuid give 404 (§4.7 has no 400)', async () => {
	const sandbox = await startSandbox();
	await sandbox.makeKey(1002);
	for (const id of [UNKNOWN_ID, cardId(1), '42']) {
		expect(await sandbox.api('GET', `/cards/${id}/sensitive-details`)).toEqual(
			errorAnswer(404, 'not-found'),
		);
	}
});
