import { join } from 'node:path';

import type { N8nClient, StoredCredential } from '../../dev/harness/n8n/client.ts';
import {
	cardPlatform,
	readWorkflow,
	setUpWorkflow,
	webhookIdOf,
	type WorkflowFile,
	type WorkflowNode,
} from '../../dev/harness/n8n/workflow.ts';
import {
	addApiCredential,
	addAutomation,
	type Automation,
} from '../../dev/harness/scenario/automation.ts';
import type { FakeInternet } from '../../dev/harness/scenario/fakeInternet.ts';
import {
	type SandboxFixture,
	type SandboxFixtureOptions,
	startSandboxFixture,
} from '../../dev/harness/scenario/sandboxFixture.ts';
import { temporaryFolder } from '../../dev/harness/tools/folders.ts';
import { workflowsFolder } from '../../dev/harness/tools/paths.ts';
import { toReadable } from '../../nodes/CardPlatform/events/item';
import { pollTimes } from '../polling/pollTimes.ts';
import { recordContractOfEachTest } from '../support/contract';
import { useSharedN8n } from '../support/n8n/shared.ts';
import { cardEvent } from '../trigger/events.ts';
import { type MailServer, startMailServer } from './mailServer.ts';

/** A real n8n with the package, a sandbox to work with, and an internet that is not the real one. */
export interface TestEnvironment {
	n8n: N8nClient;
	company: SandboxFixture;
	internet: FakeInternet;
	mailServer: MailServer;
	/** The credentials that nodes get, by the type of the node. */
	credentials: Record<string, StoredCredential>;
}

/** A workflow that n8n holds and has published. */
export interface LiveWorkflow {
	id: string;
	/** The last part of the URL of its form, chat or webhook: `<n8n>/form/<webhookId>`. */
	webhookId: string;
}

/**
 * Prepares the environment of a file's tests: the shared n8n, and a sandbox for this file, whose requests
 * are checked against its contract: not those of Test API, which tries other names. `companyOptions` makes more
 * of the sandbox's options, given a folder. The result reads the environment, from the first test on.
 */
export function useTestEnvironment(
	companyOptions: (folder: string) => SandboxFixtureOptions = () => ({}),
	requests: 'checked' | 'any' = 'checked',
): () => TestEnvironment {
	const contract = recordContractOfEachTest(requests);
	const cleanup = new AsyncDisposableStack();
	const shared = useSharedN8n();
	let environment: TestEnvironment;

	beforeAll(async () => {
		const folder = await temporaryFolder('e2e', cleanup);
		const { n8n, internet } = shared();
		const options = { ...contract, ...companyOptions(folder) };
		const company = await startSandboxFixture({ folder, cleanup }, options);
		const mailServer = await startMailServer();
		cleanup.defer(() => mailServer.close());
		const slack = { accessToken: 'xoxb-for-the-stand-in' };
		const apiCredential = await addApiCredential(n8n, company);
		const credentials = {
			[cardPlatform.action]: apiCredential,
			[cardPlatform.pollingTrigger]: apiCredential,
			'n8n-nodes-base.slack': await n8n.addCredential('slackApi', slack),
			'n8n-nodes-base.emailSend': await n8n.addCredential('smtp', mailServer.credential),
		};
		environment = { n8n, company, internet, mailServer, credentials };
	}, 300_000);

	afterAll(() => cleanup.disposeAsync(), 180_000);

	jest.setTimeout(400_000);

	return () => environment;
}

/** A workflow with the named steps activated, as a person activates the steps that notify. */
export function activated(file: WorkflowFile, ...names: readonly string[]): WorkflowFile {
	const nodes = file.nodes.map((node) =>
		names.includes(node.name) ? { ...node, disabled: false } : node,
	);
	return { ...file, nodes };
}

/** A workflow with other parameters in a step. */
export function withParameters(file: WorkflowFile, step: string, parameters: object): WorkflowFile {
	const nodes = file.nodes.map((node) =>
		node.name === step
			? { ...node, parameters: { ...Object(node.parameters), ...parameters } }
			: node,
	);
	return { ...file, nodes };
}

/** A node; a polling trigger polls every three seconds. */
export const pollsSoon = (node: WorkflowNode): WorkflowNode =>
	node.type === cardPlatform.pollingTrigger
		? { ...node, parameters: { ...Object(node.parameters), pollTimes } }
		: node;

/** An approved everyday purchase, as a trigger outputs it; `changes` make it another event. */
export const eventItem = (cardId: string, changes: object = {}) =>
	toReadable({ ...cardEvent(cardId, changes) }, false);

/** Imports a workflow as a person does, gives its nodes their credentials, and publishes it. */
export async function importWorkflow(
	{ n8n, credentials }: TestEnvironment,
	file: WorkflowFile,
): Promise<LiveWorkflow> {
	const workflow = setUpWorkflow(file, credentials);
	return { id: await n8n.addAndPublish(workflow), webhookId: webhookIdOf(workflow) };
}

/** The same with a workflow that starts with a card event; the sandbox sends it all events from then on. */
export async function importSubscribed(
	{ n8n, company, credentials }: TestEnvironment,
	file: WorkflowFile,
): Promise<Automation> {
	return addAutomation(n8n, company, file, credentials);
}

/** Imports a file that starts with a card event, as it is or changed, and subscribes it to the sandbox's events. */
export async function importFile(
	environment: TestEnvironment,
	name: string,
	change: (file: WorkflowFile) => WorkflowFile = (file) => file,
): Promise<Automation> {
	const file = await readWorkflow(join(workflowsFolder, name));
	// In a manual run, its sample would take the place of a test's event.
	return importSubscribed(environment, { ...change(file), pinData: {} });
}

/** Imports a file that starts otherwise; `key` changes the credential of the API, `more` are credentials of other steps. */
export async function importFor(
	environment: TestEnvironment,
	name: string,
	key: object,
	change: (file: WorkflowFile) => WorkflowFile = (file) => file,
	more: Record<string, StoredCredential> = {},
): Promise<LiveWorkflow> {
	const file = await readWorkflow(join(workflowsFolder, name));
	const api = await addApiCredential(environment.n8n, environment.company, key);
	const own = { [cardPlatform.action]: api, [cardPlatform.tool]: api };
	const credentials = { ...environment.credentials, ...own, ...more };
	return importWorkflow({ ...environment, credentials }, change(file));
}

/** A workflow with these values entered in its step "Settings". */
export function filledIn(
	file: WorkflowFile,
	values: Readonly<Record<string, string>>,
): WorkflowFile {
	const copy = structuredClone(file);
	const settings = copy.nodes.find(({ name }) => name === 'Settings');
	const { assignments } = settings?.parameters as {
		assignments: { assignments: { name: string; value: unknown }[] };
	};
	for (const each of assignments.assignments) each.value = values[each.name] ?? each.value;
	return copy;
}
