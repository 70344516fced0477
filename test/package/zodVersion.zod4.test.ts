import { cardSchema } from '../../nodes/CardPlatform/api/schemas';

test('the shipped code runs on zod 4 here', () => {
	expect(cardSchema).toHaveProperty('_zod');
});
