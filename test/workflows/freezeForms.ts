import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { readWorkflow } from '../../dev/harness/n8n/workflow.ts';
import { type Card, PublicApiClient } from '../../dev/harness/publicApi.ts';
import type { FormUser } from '../../dev/harness/scenario/form.ts';
import { workflowsFolder } from '../../dev/harness/tools/paths.ts';
import { importWorkflow, type LiveWorkflow, type TestEnvironment } from './environment.ts';

/** Who may use the forms. */
export const person: FormUser = { username: 'incident', password: 'a long password' };

/** A published workflow with a form that freezes cards and one that unfreezes them. */
export interface FreezeForms {
	live: LiveWorkflow;
	/** The URL of the form that freezes. */
	address: string;
	/** The URL of the form that unfreezes. */
	wayBack: string;
	/** Creates a card, and returns its ID. */
	create: (name: string) => Promise<string>;
	/** The names of the cards by their status, in alphabetical order. */
	byStatus: () => Promise<Record<Card['status'], string[]>>;
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
	const { id: accountId = 0 } = company.accounts.find(({ id }) => id !== company.account.id) ?? {};
	const apiKey = await company.sandbox.createKey(accountId);
	const api = new PublicApiClient(company.api.url, apiKey);
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
		create: (name) => api.createCard(name, accountId),
		byStatus: async () => {
			// There are never more than two pages.
			const all = [...(await api.cards(1)), ...(await api.cards(2))];
			const names = (status: Card['status']) =>
				all.flatMap((card) => (card.status === status ? [card.name] : [])).sort();
			return { active: names('active'), frozen: names('frozen'), archived: names('archived') };
		},
	};
}
