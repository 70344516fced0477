import type { INodeProperties } from 'n8n-workflow';
import type { Locator, Page } from 'playwright-core';

import { addEntry } from '../../dev/harness/editor/clicks.ts';
import type { EditorPage } from '../../dev/harness/editor/editor.ts';
import {
	cardNode,
	cardPlatform,
	node,
	triggerNode,
	workflowOf,
} from '../../dev/harness/n8n/workflow.ts';
import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import { CardPlatformTrigger } from '../../nodes/CardPlatform/CardPlatformTrigger.node';
import { pollingProperties } from '../../nodes/CardPlatform/polling/fields';
import { onPage, untilPasses, useEditorEnvironment } from '../support/n8n/editor.ts';
import { FILLED } from '../support/operations';

/** Where other fields depend on a choice, a form is opened with each. */
function choicesOf(fields: INodeProperties[]): Record<string, string>[] {
	const has = (choice: string) => fields.some(({ name }) => name === choice);
	if (has('cardScope')) return [{ cardScope: 'one' }, { cardScope: 'all' }];
	return has('period') ? [{ period: 'custom' }, { period: 'last7Days' }] : [{}];
}

const operations = RESOURCES.flatMap(({ name, value, operations }) =>
	operations.flatMap((operation) =>
		choicesOf(operation.fields).map((choice) => ({
			name: [`${name}: ${operation.name}`, ...Object.values(choice)].join(', '),
			resource: value,
			operation,
			choice,
		})),
	),
);

const isShown = ({ displayOptions }: INodeProperties, choice: Record<string, string>) =>
	Object.entries(choice).every(([name, value]) => {
		const wanted = displayOptions?.show?.[name] ?? displayOptions?.show?.[`/${name}`];
		return !Array.isArray(wanted) || wanted.includes(value);
	});

const { properties: triggerFields } = new CardPlatformTrigger().description;

const trouble = /not found|could ?n[o’']t|failed|error|invalid/i;

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

async function closeForm(page: Page): Promise<void> {
	await page.getByTestId('ndv-close-button').click();
	await page.getByTestId('ndv').waitFor({ state: 'detached' });
}

const titlesOf = ({ options = [] }: INodeProperties, choice: Record<string, string>) =>
	options
		.filter((option) => !('type' in option) || isShown(option, choice))
		.map((option) => ('displayName' in option ? option.displayName : option.name));

async function checkForm(
	page: Page,
	fields: INodeProperties[],
	first: string[],
	choice: Record<string, string> = {},
): Promise<void> {
	const form = await openForm(page);
	const titles = fields
		.filter((field) => field.type !== 'notice' && isShown(field, choice))
		.map(({ displayName }) => displayName);
	// Some kinds of fields are loaded when the first of them is shown.
	await untilPasses(async () => expect(await labels(form)).toEqual([...first, ...titles]));
	// The others depend on what is chosen.
	const notices = fields.filter(({ type, displayOptions }) => type === 'notice' && !displayOptions);
	// The list inside a notice is a separate element.
	for (const { displayName } of notices)
		await form.getByText(displayName.split('<')[0] ?? '').waitFor();
	for (const field of fields.filter(({ type }) => type === 'collection')) {
		const isList = (field.options?.length ?? 0) > 1;
		for (const title of titlesOf(field, choice)) await addEntry(form, field.name, title, isList);
	}
	expect(await page.getByTestId('parameter-issues').count()).toBe(0);
	expect(await form.innerText()).not.toMatch(trouble);
}

const environment = useEditorEnvironment();

jest.setTimeout(600_000);

// Tests that every form opens without a warning and shows every field.
describe('the form of', () => {
	let opened: EditorPage;

	// One page for all of them: loading the editor takes far longer than opening a form.
	beforeAll(async () => {
		const { editor, apiCredential } = environment();
		const nodes = operations.map(({ name, resource, operation, choice }, index) =>
			cardNode(
				name,
				{ ...FILLED, updateFields: {}, resource, operation: operation.value, ...choice },
				apiCredential,
				{
					position: [(index % 6) * 220, Math.floor(index / 6) * 200],
				},
			),
		);
		const id = await editor.n8n.addWorkflow(workflowOf('Every operation', nodes, []));
		opened = await editor.page(`/workflow/${id}`);
		await nodeOf(opened.page, nodes.at(-1)?.name ?? '').waitFor();
	}, 300_000);

	afterAll(() => opened.page.close());

	it('no operation has a mark on the canvas once its credential is set', async () => {
		const nodes = opened.page.getByTestId('canvas-node');
		await untilPasses(async () => expect(await nodes.count()).toBe(operations.length));
		expect(await opened.page.getByTestId('node-issues').count()).toBe(0);
	});

	it.each(operations)('$name shows every field', async ({ name, operation, choice }) => {
		const { page, errors } = opened;
		await nodeOf(page, name).dblclick();
		try {
			await checkForm(page, operation.fields, ['Resource', 'Operation'], choice);
			const input = page.getByTestId('parameter-input-operation').locator('input');
			await untilPasses(async () => expect(await input.inputValue()).toBe(operation.name));
		} finally {
			await closeForm(page);
		}
		expect(errors.splice(0)).toEqual([]);
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

	it('the trigger shows every field', async () => {
		const { editor, webhookCredential } = environment();
		const node = triggerNode('Event', webhookCredential);
		const id = await editor.n8n.addWorkflow(workflowOf('Trigger form', [node]));
		await onPage(editor, `/workflow/${id}/Event`, (page) =>
			checkForm(page, triggerFields, [], { events: 'all' }),
		);
	});

	it('the polling trigger shows every field, after the poll times of n8n', async () => {
		const { editor, apiCredential: credential } = environment();
		const trigger = node('Polling', cardPlatform.pollingTrigger, { credential });
		const id = await editor.n8n.addWorkflow(workflowOf('Polling form', [trigger]));
		await onPage(editor, `/workflow/${id}/Polling`, (page) =>
			checkForm(page, pollingProperties, ['Poll Times', 'Mode'], { events: 'all' }),
		);
	});
});
