import { z } from 'zod';
import { cardNode, cardPlatform } from '../../../harness/n8n/workflow.ts';
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

/** Reads a page of the list as the editor does when it is opened, searched or scrolled. */
async function search(page: { filter?: string; paginationToken?: string } = {}) {
	const { n8n, credentials } = environment();
	const cardId = { __rl: true, mode: 'list', value: '' };
	const parameters = { resource: 'card', operation: 'freeze', cardId };
	const node = cardNode('Card', parameters, credentials[cardPlatform.action]);
	return n8n.searchList(node, 'cardId', 'searchCards', page);
}

/** All pages, by scrolling to the end. */
async function searchAll(filter?: string) {
	const pages = [];
	let paginationToken: string | undefined;
	do {
		const page = await search({ filter, paginationToken });
		pages.push(page.results);
		({ paginationToken } = page);
	} while (paginationToken !== undefined);
	return pages;
}

const sorted = (values: Iterable<string>) => [...values].sort();
const namesIn = (labels: { name: string }[]) => labels.map(({ name }) => name.split(' •••• ')[0]);

// Tests the list of cards as n8n hands it to its editor.
describe('the card picker', () => {
	it('lists all cards, a page at a time', async () => {
		const pages = await searchAll();
		expect(pages.map(({ length }) => length)).toEqual([100, names.length - 100]);
		const listed = pages.flat();
		expect(namesIn(listed).sort()).toEqual(sorted(names));
		expect(new Set(listed.map(({ value }) => value)).size).toBe(names.length);
		for (const { name } of listed) {
			expect(name).toMatch(/^.+ •••• \d{4} \((active|frozen|archived)\)$/);
		}
	});

	it('searches by name', async () => {
		const [{ id, name, lastFour }] = environment().company.active;
		expect(await searchAll(` ${name} `)).toEqual([
			[{ name: `${name} •••• ${lastFour} (active)`, value: id }],
		]);
	});

	it('lists what a search finds a page at a time, too', async () => {
		const pages = await searchAll('Sales team');
		expect(pages.map(({ length }) => length)).toEqual([100, more - 100]);
		const expected = names.filter((name) => name.startsWith('Sales team'));
		expect(namesIn(pages.flat()).sort()).toEqual(sorted(expected));
	});

	it('says why there is no list', async () => {
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
