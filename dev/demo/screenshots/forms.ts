import { randomUUID } from 'node:crypto';

import type { Page } from 'playwright-core';

import type { Editor } from '../../harness/editor/editor.ts';
import {
	cardNode,
	cardPlatform,
	node,
	triggerNode,
	workflowOf,
} from '../../harness/n8n/workflow.ts';
import type { Automation } from '../../harness/scenario/automation.ts';
import { realisticEvent } from '../../harness/scenario/realisticEvent.ts';
import type { SandboxFixture } from '../../harness/scenario/sandboxFixture.ts';
import { deliver, signedDelivery } from '../../harness/signing.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import type { Screenshots } from './screenshots.ts';

/** The sandbox's "Old phone contract". */
const archivedCard = 'ca4d0000-0000-4000-8000-000000000007';

/** A picture of a node's form, or of the dialog of its credential. */
interface Form {
	picture: string;
	node: string;
	/** Of the window, in pixels. A dialog takes seven tenths of the width, a form nearly all. */
	size: { width: number; height: number };
	part?: 'ndv' | 'editCredential-modal';
	/** What a person does before there is something to see. */
	open: (page: Page, testUrl: string) => Promise<unknown>;
}

const help = (page: Page) => page.getByText('When will this node trigger my flow?').click();
const credential = (page: Page) => page.getByTestId('credential-edit-button').click();

/** Listens for a test event, and gets one that is signed with the secret of another URL. */
async function rejectEvent(page: Page, testUrl: string): Promise<void> {
	const button = page.getByTestId('trigger-execute-button');
	await button.click();
	await button.getByText('Stop Listening').waitFor();
	const isRejected = async () =>
		(await deliver(testUrl, signedDelivery(realisticEvent(), 'the secret of another URL'))) === 401;
	// Before n8n listens, it responds with 404.
	await waitUntil(isRejected, { what: 'n8n to listen', withinMs: 60_000, everyMs: 500 });
	await page.getByText('signed with another secret').first().waitFor();
}

const forms: readonly Form[] = [
	{ picture: 'polling-trigger', node: 'Events', size: { width: 1000, height: 860 }, open: help },
	{
		picture: 'trigger-panel',
		node: 'Card event',
		size: { width: 1000, height: 1000 },
		open: async (page) => {
			await page.getByText('Webhook URLs', { exact: true }).first().click();
			await page.getByText('Production URL', { exact: true }).click();
			await help(page);
		},
	},
	{
		picture: 'card-node',
		node: 'Freeze',
		size: { width: 1000, height: 700 },
		open: async (page) => {
			await page.getByTestId('rlc-input').click();
			await page.getByTestId('rlc-item').nth(5).waitFor();
		},
	},
	{
		picture: 'error-output',
		node: 'Freeze archived',
		size: { width: 1000, height: 620 },
		open: async (page) => {
			await page.getByTestId('node-execute-button').first().click();
			await page.getByText('Error details').waitFor();
		},
	},
	{
		picture: 'credential-api',
		node: 'Freeze',
		size: { width: 1360, height: 1000 },
		part: 'editCredential-modal',
		open: async (page) => {
			await credential(page);
			await page.getByText('Connection tested successfully').waitFor();
		},
	},
	{
		picture: 'credential-webhook',
		node: 'Card event',
		size: { width: 1360, height: 800 },
		part: 'editCredential-modal',
		open: credential,
	},
	{
		picture: 'wrong-secret',
		node: 'Card event',
		size: { width: 1000, height: 620 },
		open: rejectEvent,
	},
];

/** Captures the forms and credentials of the documents. */
export async function captureForms(
	screenshots: Screenshots,
	editor: Editor,
	{ credentials }: Automation,
): Promise<void> {
	const webhookId = randomUUID();
	const testUrl = `${editor.n8n.url}/webhook-test/${webhookId}/webhook`;
	const api = credentials[cardPlatform.action];
	const pollTimes = { item: [{ mode: 'everyHour', minute: 0 }] };
	const freeze = { resource: 'card', operation: 'freeze' };
	const steps = [
		node('Events', cardPlatform.pollingTrigger, { parameters: { pollTimes }, credential: api }),
		triggerNode('Card event', credentials[cardPlatform.trigger], {}, webhookId),
		cardNode('Freeze', freeze, api),
		cardNode(
			'Freeze archived',
			{ ...freeze, cardId: { __rl: true, mode: 'id', value: archivedCard } },
			api,
		),
	];
	const id = await editor.n8n.addWorkflow(workflowOf('Forms', steps, []));
	for (const { picture, node, size, part = 'ndv', open } of forms) {
		const { page } = await editor.page(`/workflow/${id}/${node}`);
		await page.setViewportSize(size);
		await open(page, testUrl);
		await screenshots.capture(picture, page.getByTestId(part));
		await page.close();
	}
}

/** Captures what Connection: Test API says of an API with other names. */
export async function captureTestApi(
	screenshots: Screenshots,
	editor: Editor,
	{ credentials }: Automation,
	{ sandbox }: SandboxFixture,
): Promise<void> {
	await sandbox.setDialect('snake_case');
	const parameters = { resource: 'connection', operation: 'testApi' };
	const step = cardNode('Differences', parameters, credentials[cardPlatform.action]);
	const id = await editor.n8n.addWorkflow(workflowOf('Test API', [step], []));
	const { page } = await editor.page(`/workflow/${id}/Differences`);
	await page.setViewportSize({ width: 1900, height: 800 });
	await page.getByTestId('node-execute-button').first().click();
	const output = page.getByTestId('output-panel');
	await output.getByText('Paste into Parameter Names').first().waitFor();
	await screenshots.capture('test-api', output);
	await page.close();
	await sandbox.setDialect('default');
}
