import { CardApi, SandboxControl } from '../../harness/scenario/company.ts';
import { deliveries } from '../../harness/scenario/stage.ts';
import { requestJson } from '../../harness/tools/json.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { createSandbox, type SandboxOptions } from '../../sandbox/server.ts';
import { z } from 'zod';

import type { N8nClient } from '../../harness/n8n/client.ts';
import { node, triggerNode, type Workflow, workflowOf } from '../../harness/n8n/workflow.ts';

const endpointSchema = z.object({ id: z.string(), signingSecret: z.string() });

/** What a rotation was like for the events that happened meanwhile. */
export interface Rotation {
	workflow: Workflow;
	/** Ids of the events, in order. */
	purchased: string[];
	/** Ids of those whose delivery succeeded. */
	delivered: string[];
	/** HTTP statuses of attempts that failed. */
	refused: unknown[];
}

/**
 * Rotates the secret of a sandbox endpoint that delivers to a trigger, and changes the trigger's
 * credential as docs/webhooks.md says, with purchases at every step: before, in the overlap with
 * the old, with both and with the new secret in the credential, and after the 24 hours.
 */
export async function rotateWhileDelivering(
	n8n: N8nClient,
	hooks: Pick<SandboxOptions, 'onExchange' | 'onDelivery'>,
): Promise<Rotation> {
	let ahead = 0;
	const now = () => new Date(Date.now() + ahead);
	const sandbox = await createSandbox({ now, deliveries, ...hooks });
	try {
		const control = new SandboxControl(sandbox.url);
		const [account] = await control.accounts();
		if (account === undefined) throw new Error('The sandbox has no account');
		const cards = new CardApi(sandbox.apiUrl, await control.generateKey(account.id));
		const card = (await cards.cards()).find(
			({ status, type }) => status === 'active' && type === 'recurring',
		);
		if (card === undefined) throw new Error('The sandbox has no active card');

		const unknown = { signingSecret: 'not known yet' };
		const credential = await n8n.addCredential('cardPlatformWebhookApi', unknown);
		// The sandbox's clock goes a day ahead, and so do the timestamps of its deliveries.
		const options = { futureTimestampTolerance: 200_000 };
		const workflow = workflowOf('Rotation', [
			triggerNode('Trigger', credential, { options }),
			node('Downstream', 'n8n-nodes-base.noOp'),
		]);
		await n8n.addWorkflow(workflow);
		const asked = { method: 'POST', body: {} } as const;
		const endpoint = await requestJson(`${sandbox.url}/sandbox/endpoints`, endpointSchema, {
			...asked,
			body: { accountId: account.id, url: n8n.webhookUrl(workflow) },
		});
		const old = endpoint.signingSecret;
		const rotation: Rotation = { workflow, purchased: [], delivered: [], refused: [] };

		const purchase = async () => {
			const { id } = await control.purchase({
				cardId: card.id,
				amount: '1.00',
				merchantName: 'Corner Bakery',
				merchantCountry: 'US',
			});
			rotation.purchased.push(id);
			const delivery = await waitUntil(
				async () => (await control.deliveries(id)).find(({ status }) => status !== 'pending'),
				{ what: 'the delivery', withinMs: 90_000 },
			);
			if (delivery.status === 'delivered') rotation.delivered.push(id);
			const statuses = delivery.attempts.map(({ httpStatus }) => httpStatus);
			rotation.refused.push(...statuses.filter((status) => status !== 200));
		};

		await n8n.changeCredential(credential, { signingSecret: old });
		await n8n.publish(workflow.id);
		await purchase();
		const { signingSecret } = await requestJson(
			`${sandbox.url}/sandbox/endpoints/${endpoint.id}/rotate`,
			endpointSchema,
			asked,
		);
		await purchase();
		await n8n.changeCredential(credential, { signingSecret, previousSigningSecret: old });
		await purchase();
		ahead = 25 * 3_600_000;
		await purchase();
		await n8n.changeCredential(credential, { signingSecret });
		await purchase();
		return rotation;
	} finally {
		await sandbox.close();
	}
}
