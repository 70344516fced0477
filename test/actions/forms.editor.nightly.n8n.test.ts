import type { INodeProperties } from 'n8n-workflow';
import type { Locator, Page } from 'playwright-core';

import { addEntry } from '../../harness/editor/clicks.ts';
import type { EditorPage } from '../../harness/editor/editor.ts';
import {
	cardNode,
	cardPlatform,
	node,
	triggerNode,
	workflowOf,
} from '../../harness/n8n/workflow.ts';
import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import { CardPlatformTrigger } from '../../nodes/CardPlatform/CardPlatformTrigger.node';
import { pollingProperties } from '../../nodes/CardPlatform/polling/properties';
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

/** Which descriptions of an open list the editor cuts off; it shows two lines of each. */
const findCut = `[...document.querySelectorAll('.option-description')]
	.filter((each) => each.checkVisibility() && each.scrollHeight > each.clientHeight)
	.map((each) => each.textContent)`;

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

	it('no description in the list of resources is cut off', async () => {
		const { page } = opened;
		await nodeOf(page, operations[0]?.name ?? '').dblclick();
		try {
			await openForm(page);
			await page.getByTestId('parameter-input-resource').click();
			const lines = page.locator('.option-description').filter({ visible: true });
			const expected = RESOURCES.map(({ description }) => description);
			await untilPasses(async () => expect(await lines.allInnerTexts()).toEqual(expected));
			expect(await page.evaluate(findCut)).toEqual([]);
			// Chooses what is chosen already, and closes the list.
			const entry = page.getByRole('option').filter({ visible: true });
			await entry.getByText('Account', { exact: true }).click();
		} finally {
			await closeForm(page);
		}
	});

	it.each(RESOURCES)(
		'$name: no description in the list of operations is cut off',
		async ({ value, operations: listed }) => {
			const { page } = opened;
			const [of] = operations.filter(({ resource }) => resource === value);
			await nodeOf(page, of?.name ?? '').dblclick();
			try {
				await openForm(page);
				await page.getByTestId('parameter-input-operation').click();
				const lines = page.locator('.option-description').filter({ visible: true });
				const expected = listed.map(({ description }) => description);
				await untilPasses(async () => expect(await lines.allInnerTexts()).toEqual(expected));
				expect(await page.evaluate(findCut)).toEqual([]);
				// Chooses what is chosen already, and closes the list.
				const entry = page.getByRole('option').filter({ visible: true });
				await entry.getByText(of?.operation.name ?? '', { exact: true }).click();
			} finally {
				await closeForm(page);
			}
		},
	);

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

	it('a node without a credential says so', async () => {
		const { editor } = environment();
		const parameters = { ...FILLED, resource: 'card', operation: 'get' };
		const node = cardNode('Card', parameters, undefined);
		const id = await editor.n8n.addWorkflow(workflowOf('No credential', [node]));
		await onPage(editor, `/workflow/${id}`, async (page) => {
			await page.getByTestId('node-issues').hover();
			await page.getByText('Credentials for Card Platform are not set.').waitFor();
		});
	});

	it('Account has no operation until one is chosen, and the node says so', async () => {
		const { editor, apiCredential } = environment();
		const node = cardNode('Account', { resource: 'account' }, apiCredential);
		const id = await editor.n8n.addWorkflow(workflowOf('No operation', [node]));
		await onPage(editor, `/workflow/${id}/Account`, async (page) => {
			const form = await openForm(page);
			await untilPasses(async () => expect(await labels(form)).toEqual(['Resource', 'Operation']));
			const input = page.getByTestId('parameter-input-operation').locator('input');
			expect(await input.inputValue()).toBe('');
			await page.getByTestId('parameter-issues').waitFor();
			await page.getByTestId('node-execute-button').click();
			const message = 'No operation is selected for the resource "account"';
			await page.getByTestId('node-error-message').getByText(message).waitFor();
		});
	});

	it('an empty required field is marked, and keeps the workflow from being published', async () => {
		const { editor, apiCredential } = environment();
		const schedule = node('Schedule', 'n8n-nodes-base.scheduleTrigger', { typeVersion: 1.2 });
		const freeze = {
			resource: 'card',
			operation: 'freeze',
			cardId: { ...FILLED.cardId, value: '' },
		};
		const id = await editor.n8n.addWorkflow(
			workflowOf('Empty field', [schedule, cardNode('Freeze', freeze, apiCredential)]),
		);
		await onPage(editor, `/workflow/${id}/Freeze`, async (page) => {
			const form = await openForm(page);
			await form.getByTestId('parameter-issues').first().hover();
			await page.getByText('Parameter "Card" is required.').waitFor();
			await closeForm(page);
			await page.getByTestId('node-issues').hover();
			await page.getByText('Parameter "Card" is required.').waitFor();
			const publish = page.getByTestId('workflow-open-publish-modal-button');
			await untilPasses(async () => expect(await publish.isDisabled()).toBe(true));
		});
		const refusal = /Missing or invalid required parameters: cardId/;
		await expect(editor.n8n.publish(id)).rejects.toThrow(refusal);
	});

	it('resource and operation can be chosen from the lists, again and again', async () => {
		const { editor, apiCredential } = environment();
		const id = await editor.n8n.addWorkflow(
			workflowOf('Lists', [cardNode('Card', {}, apiCredential)]),
		);
		await onPage(editor, `/workflow/${id}/Card`, async (page) => {
			await openForm(page);
			for (const [resource, operation, field] of [
				['Account', 'Transfer', 'toAccountId'],
				['Transaction', 'Get', 'transactionId'],
				['Payment', 'Get Many', 'from'],
			] as const) {
				for (const [list, choice] of Object.entries({ resource, operation })) {
					await page.getByTestId(`parameter-input-${list}`).click();
					// The entries of some lists have a description below their name.
					const entry = page.getByRole('option').filter({ visible: true });
					await entry.getByText(choice, { exact: true }).click();
					// What has been chosen changes the form, and closes a list that was opened before.
					const chosen = page.getByTestId(`parameter-input-${list}`).locator('input');
					await untilPasses(async () => expect(await chosen.inputValue()).toBe(choice));
				}
				await page.getByTestId(`parameter-input-${field}`).waitFor();
			}
		});
	});
});
