import type { INodeProperties } from 'n8n-workflow';
import type { Locator, Page } from 'playwright-core';

import { addEntry, closeForm, searchResult } from '../dev/harness/editor/clicks.ts';
import type { EditorPage } from '../dev/harness/editor/editor.ts';
import {
	cardNode,
	cardPlatform,
	node,
	triggerNode,
	workflowOf,
} from '../dev/harness/n8n/workflow.ts';
import { RESOURCES } from '../nodes/CardPlatform/actions/table';
import { CardPlatformTrigger } from '../nodes/CardPlatform/CardPlatformTrigger.node';
import { pollingProperties } from '../nodes/CardPlatform/polling/fields';
import { onPage, untilPasses, useEditorEnvironment } from './support/n8n/editor.ts';
import { FILLED } from './support/operations';

type Choice = Record<string, string>;

/** The fields of a form, the labels before them, and what is chosen in it. */
interface Form {
	fields: INodeProperties[];
	first: string[];
	choice: Choice;
}

/** Where other fields depend on a choice, a form is opened with each. */
function choicesOf(fields: INodeProperties[]): Choice[] {
	const has = (choice: string) => fields.some(({ name }) => name === choice);
	if (has('cardScope')) return [{ cardScope: 'one' }, { cardScope: 'all' }];
	return has('period') ? [{ period: 'custom' }, { period: 'last7Days' }] : [{}];
}

const actions = RESOURCES.flatMap(({ operations }) => operations.map(({ action }) => action));

/** The form of each operation, with each choice. */
const forms = RESOURCES.flatMap(({ name, value, operations }) =>
	operations.flatMap(({ name: operation, value: operationValue, fields }) =>
		choicesOf(fields).map((choice) => ({
			name: [`${name}: ${operation}`, ...Object.values(choice)].join(', '),
			fields,
			first: ['Resource', 'Operation'],
			choice,
			parameters: {
				...FILLED,
				updateFields: {},
				resource: value,
				operation: operationValue,
				...choice,
			},
		})),
	),
);
const triggerForm: Form = {
	fields: new CardPlatformTrigger().description.properties,
	first: [],
	choice: { events: 'all' },
};
const pollingForm: Form = {
	fields: pollingProperties,
	first: ['Poll Times', 'Mode'],
	choice: { watch: 'cardEvents', events: 'all' },
};

const isShown = ({ displayOptions }: INodeProperties, choice: Choice) =>
	Object.entries(choice).every(([name, value]) => {
		const wanted = displayOptions?.show?.[name] ?? displayOptions?.show?.[`/${name}`];
		return !Array.isArray(wanted) || wanted.includes(value);
	});

const titlesOf = ({ options = [] }: INodeProperties, choice: Choice) =>
	options
		.filter(
			(option) => !('type' in option) || (option.type !== 'hidden' && isShown(option, choice)),
		)
		.map((option) => ('displayName' in option ? option.displayName : option.name))
		// What n8n makes of one expression for all of them is not offered.
		.filter((title) => title !== 'Unsupported Expression');

/** The labels of the fields that are shown, in their order. */
async function labels(form: Locator): Promise<string[]> {
	const texts = await form.locator('label[for]').filter({ visible: true }).allInnerTexts();
	return texts.map((text) => text.split('\n')[0]?.trim() ?? '');
}

const nodeOf = (page: Page, name: string) =>
	page.locator(`[data-test-id=canvas-node][data-node-name=${JSON.stringify(name)}]`);

async function openForm(page: Page): Promise<Locator> {
	// It stands below the last field.
	await page.getByTestId('node-feature-request').waitFor();
	return page.getByTestId('node-parameters');
}

/** Checks that the open form shows every field, and each entry that can be added to one, without a warning. */
async function checkForm(page: Page, { fields, first, choice }: Form): Promise<void> {
	const form = await openForm(page);
	const titles = fields
		.filter(({ type }) => type !== 'notice' && type !== 'hidden')
		.filter((field) => isShown(field, choice))
		.map(({ displayName }) => displayName);
	// Some kinds of fields are loaded when the first of them is shown.
	await untilPasses(async () => expect(await labels(form)).toEqual([...first, ...titles]));
	// The others depend on what is chosen.
	const notices = fields.filter(({ type, displayOptions }) => type === 'notice' && !displayOptions);
	// The list inside a notice is a separate element.
	for (const { displayName } of notices)
		await form.getByText(displayName.split('<')[0] ?? '').waitFor();
	const collections = fields.filter(({ type }) => type === 'collection');
	for (const field of collections.filter((each) => isShown(each, choice))) {
		const isList = (field.options?.length ?? 0) > 1;
		for (const title of titlesOf(field, choice)) await addEntry(form, field.name, title, isList);
	}
	expect(await page.getByTestId('parameter-issues').count()).toBe(0);
	expect(await form.innerText()).not.toMatch(/not found|could ?n[o’']t|failed|error|invalid/i);
}

const environment = useEditorEnvironment();

jest.setTimeout(600_000);

describe('the form of', () => {
	let opened: EditorPage;

	// One page for all of them: loading the editor takes far longer than opening a form.
	beforeAll(async () => {
		const { editor, apiCredential } = environment();
		const nodes = forms.map(({ name, parameters }, index) =>
			cardNode(name, parameters, apiCredential, {
				position: [(index % 6) * 220, Math.floor(index / 6) * 200],
			}),
		);
		const id = await editor.n8n.addWorkflow(workflowOf('Every operation', nodes, []));
		opened = await editor.page(`/workflow/${id}`);
		await nodeOf(opened.page, nodes.at(-1)?.name ?? '').waitFor();
	}, 300_000);

	afterAll(() => opened.page.close());

	it('no operation has a mark on the canvas once its credential is set', async () => {
		const nodes = opened.page.getByTestId('canvas-node');
		await untilPasses(async () => expect(await nodes.count()).toBe(forms.length));
		expect(await opened.page.getByTestId('node-issues').count()).toBe(0);
	});

	it.each(forms)('$name shows every field', async ({ name, ...form }) => {
		const { page, errors } = opened;
		await nodeOf(page, name).dblclick();
		try {
			await checkForm(page, form);
		} finally {
			await closeForm(page);
		}
		expect(errors.splice(0)).toEqual([]);
	});

	it.each([
		['trigger', triggerForm],
		['polling trigger', pollingForm],
	])('the %s shows every field', async (name, form) => {
		const { editor, webhookCredential, apiCredential: credential } = environment();
		const added =
			form === triggerForm
				? triggerNode('Trigger', webhookCredential)
				: node('Trigger', cardPlatform.pollingTrigger, { credential });
		const id = await editor.n8n.addWorkflow(workflowOf(name, [added]));
		await onPage(editor, `/workflow/${id}/Trigger`, (page) => checkForm(page, form));
	});

	it('a due date has no time', async () => {
		const { editor, apiCredential } = environment();
		const parameters = { resource: 'payment', operation: 'getAll', period: 'custom' };
		const payments = cardNode('Payments', parameters, apiCredential);
		const id = await editor.n8n.addWorkflow(workflowOf('Due dates', [payments]));
		await onPage(editor, `/workflow/${id}/Payments`, async (page) => {
			for (const name of ['from', 'to']) {
				const input = page.getByTestId(`parameter-input-${name}`).locator('input');
				await input.fill('2026-11-01');
				await input.press('Enter');
				await untilPasses(async () => expect(await input.inputValue()).toBe('2026-11-01'));
			}
		});
	});

	it('a limit that is still empty stays when other fields are added', async () => {
		const { editor, apiCredential } = environment();
		const create = cardNode('Create', { resource: 'card', operation: 'create' }, apiCredential);
		const id = await editor.n8n.addWorkflow(workflowOf('Empty limit', [create]));
		await onPage(editor, `/workflow/${id}/Create`, async (page) => {
			const fields = ['Limit', 'Custom Fields', 'Categories'];
			const first = await openForm(page);
			for (const field of fields) await addEntry(first, 'additionalFields', field, true);
			await closeForm(page);
			await nodeOf(page, 'Create').dblclick();
			const form = await openForm(page);
			await form.getByText('Limit', { exact: true }).waitFor();
		});
	});
});

/** Opens the node creator on an empty canvas, and looks for a node of ours. */
async function search(page: Page, words: string): Promise<void> {
	await page.getByTestId('node-creator-plus-button').click();
	await page.getByTestId('node-creator-search-bar').fill(words);
}

describe('the node creator', () => {
	it('offers all actions, and adds the one that was chosen', () =>
		onPage(environment().editor, '/workflow/new', async (page) => {
			await search(page, 'card');
			await searchResult(page, 'Card Platform').click();
			const category = page
				.getByTestId('node-creator-category-item')
				.filter({ hasText: 'Actions' });
			await category.getByText(`(${actions.length})`).waitFor();
			await category.click();
			for (const action of actions) await searchResult(page, action).waitFor();
			await searchResult(page, 'Freeze card').click();
			await page.getByTestId('parameter-input-cardId').waitFor();
			const operation = page.getByTestId('parameter-input-operation').locator('input');
			await untilPasses(async () => expect(await operation.inputValue()).toBe('Freeze'));
		}));

	it('finds the polling trigger, which fetches the newest event with the chosen credential, and says after publishing that new ones start the workflow', async () => {
		const { editor, company } = environment();
		const key = { baseUrl: company.api.url, apiKey: company.apiKey, keyScope: 'account' };
		for (const name of ['Read-only key', 'The newest, which is chosen for a new node'])
			await editor.n8n.addCredential('cardPlatformApi', { ...key, readOnly: true }, name);
		await onPage(editor, '/workflow/new', async (page) => {
			await search(page, 'polling');
			await searchResult(page, 'Card Platform Polling').click();
			await searchResult(page, 'On card event').click();
			await page.getByTestId('parameter-input-events').waitFor();

			await page.getByTestId('node-credentials-select').click();
			await page.getByText('Read-only key').click();
			const selected = page.getByTestId('node-credentials-select').locator('input');
			await untilPasses(async () => expect(await selected.inputValue()).toBe('Read-only key'));
			const [{ id: cardId }] = company.active;
			const { event } = await company.sandbox.authorize({ cardId, amount: '12.34' });
			const button = page.getByTestId('trigger-execute-button');
			await button.getByText('Fetch Test Event', { exact: true }).click();
			const shown = page.getByTestId('ndv-data-container');
			for (const text of [event.id, '12.34', 'polling'])
				await shown.getByText(text, { exact: true }).first().waitFor();
			await closeForm(page);
			await page.getByTestId('workflow-open-publish-modal-button').click();
			await page.getByTestId('workflow-publish-button').click();
			await page
				.getByText('New events and changes start this workflow from the next poll on')
				.waitFor();
		});
	});
});
