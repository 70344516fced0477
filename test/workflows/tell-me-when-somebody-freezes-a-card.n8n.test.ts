import { useTestEnvironment } from './environment.ts';
import { publishWatch } from './watchFile.ts';

const environment = useTestEnvironment();

test('"Tell me when somebody freezes a card" names a card that was frozen', async () => {
	const { api, active } = environment().company;
	const [, card] = active;
	const file = 'tell-me-when-somebody-freezes-a-card.json';
	const mailWith = await publishWatch(environment(), file);
	await api.changeCard(card.id, 'freeze');
	expect(await mailWith(card.name)).toEqual({
		text: expect.stringContaining(`Frozen: ${card.name} (${card.lastFour})\nBefore: active`),
		count: 1,
	});
});
