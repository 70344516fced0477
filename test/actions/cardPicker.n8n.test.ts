import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod';

import { cardNode, cardPlatform } from '../../harness/n8n/workflow.ts';
import { useTestEnvironment } from '../workflows/environment.ts';
import { ManyCards } from '../workflows/manyCards.ts';

/** More than one page of a list holds. */
const more = 105;

const environment = useTestEnvironment();

let names: string[];

beforeAll(async () => {
	const { api, apiKey } = environment().company;
	const cards = new ManyCards(api.url, apiKey);
	for (let number = 0; number < more; number++) await cards.create(`Sales team ${number}`);
	names = Object.values(await cards.byStatus()).flat();
}, 400_000);

const cardId = { __rl: true, mode: 'list', value: '' };
const freeze = { resource: 'card', operation: 'freeze', cardId };
const getMany = { resource: 'transaction', operation: 'getAll', filters: { cardId } };

/** Reads the list as the editor does when it is opened or searched. */
async function search(
	page: { filter?: string } = {},
	[parameters, path]: [INodeParameters, string] = [freeze, 'cardId'],
) {
	const { n8n, credentials } = environment();
	const node = cardNode('Card', parameters, credentials[cardPlatform.action]);
	return n8n.searchList(node, path, 'searchCards', page);
}

const sorted = (values: string[]) =>
	values.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
const namesIn = (labels: { name: string }[]) => labels.map(({ name }) => name.split(' •••• ')[0]);

// Tests the list of cards as n8n hands it to its editor.
describe('the card picker', () => {
	it('lists all cards by name, and marks those that are archived or frozen', async () => {
		const { results: listed } = await search();
		expect(namesIn(listed)).toEqual(sorted(names));
		expect(new Set(listed.map(({ value }) => value)).size).toBe(names.length);
		const mark = String.raw`( \(archived\)| \(frozen\))?`;
		for (const { name } of listed) {
			expect(name).toMatch(new RegExp(`^.+ •••• \\d{4}${mark}$`));
		}
	});

	it('searches by name, and by the last four digits', async () => {
		const [{ id, name, lastFour }] = environment().company.active;
		const found = { name: `${name} •••• ${lastFour}`, value: id };
		expect((await search({ filter: ` ${name} ` })).results).toEqual([found]);
		const { results: all } = await search();
		// The digits are random, so another card may have the same.
		const withDigits = all.filter((card) => card.name.includes(`•••• ${lastFour}`));
		expect(withDigits).toContainEqual(found);
		expect((await search({ filter: `•••• ${lastFour}` })).results).toEqual(withDigits);
	});

	it('lists all that a search finds', async () => {
		const expected = names.filter((name) => name.startsWith('Sales team'));
		expect(expected).toHaveLength(more);
		expect(namesIn((await search({ filter: 'Sales team' })).results)).toEqual(sorted(expected));
	});

	it('lists the same in a filter', async () => {
		expect(await search({}, [getMany, 'filters.cardId'])).toEqual(await search());
	});

	it('shows an error if the list cannot be read', async () => {
		const { sandbox, account } = environment().company;
		await sandbox.setFeatures(account.id, { cardManagement: false });
		await expect(search()).rejects.toThrow('(403 forbidden)');
		await sandbox.setFeatures(account.id, { cardManagement: true });
	});

	it('is the only field of the nodes that the API fills', async () => {
		const named =
			/"(?:searchListMethod|loadOptionsMethod|loadOptions|resourceMapperMethod)":("?\w*)/g;
		const types = z.array(z.object({ name: z.string() }).passthrough());
		const all = await environment().n8n.getJson('/types/nodes.json', types);
		const ours = all.filter(({ name }) => name.startsWith('n8n-nodes-card-platform.'));
		const methods = JSON.stringify(ours).matchAll(named);
		expect(new Set([...methods].map(([, method]) => method))).toEqual(new Set(['"searchCards']));
	});
});
