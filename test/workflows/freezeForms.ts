import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { readWorkflow } from '../../harness/n8n/workflow.ts';
import type { FormUser } from '../../harness/scenario/form.ts';
import { workflowsFolder } from '../../harness/tools/paths.ts';
import { importWorkflow, type LiveWorkflow, type TestEnvironment } from './environment.ts';
import { ManyCards } from './manyCards.ts';

/** Who may use the forms. */
export const person: FormUser = { username: 'incident', password: 'a long password' };

/** A published workflow with a form that freezes cards and one that unfreezes them. */
export interface FreezeForms {
	live: LiveWorkflow;
	/** The URL of the form that freezes. */
	address: string;
	/** The URL of the form that unfreezes. */
	wayBack: string;
	cards: ManyCards;
}

/**
 * Publishes a workflow file with another account than the other tests': its key replaces theirs, and their
 * cards stay as they are.
 */
export async function publishFreezeForms(
	environment: TestEnvironment,
	fileName: string,
): Promise<FreezeForms> {
	const { n8n, company } = environment;
	const { id: accountId } = company.accounts.find(({ id }) => id !== company.account.id) ?? {};
	const apiKey = await company.sandbox.createKey(accountId);
	const key = { baseUrl: company.api.url, apiKey, keyScope: 'account' };
	const password = { user: person.username, password: person.password };
	const credentials = {
		'n8n-nodes-card-platform.cardPlatform': await n8n.addCredential('cardPlatformApi', key),
		'n8n-nodes-base.formTrigger': await n8n.addCredential('httpBasicAuth', password),
	};
	const unfreezeId = randomUUID();
	const file = await readWorkflow(join(workflowsFolder, fileName));
	const nodes = file.nodes.map((node) =>
		node.name === 'Unfreeze form' ? { ...node, webhookId: unfreezeId } : node,
	);
	const live = await importWorkflow({ ...environment, credentials }, { ...file, nodes });
	return {
		live,
		address: `${n8n.url}/form/${live.webhookId}`,
		wayBack: `${n8n.url}/form/${unfreezeId}`,
		cards: new ManyCards(company, apiKey),
	};
}
