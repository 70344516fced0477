import type { N8nClient } from '../../dev/harness/n8n/client.ts';
import { node, triggerNode, type Workflow, workflowOf } from '../../dev/harness/n8n/workflow.ts';
import { startSandboxFixture } from '../../dev/harness/scenario/sandboxFixture.ts';
import { deliver, signedDelivery } from '../../dev/harness/signing.ts';
import type { RunContext } from '../../dev/harness/tools/folders.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import type { SandboxOptions } from '../../sandbox/server.ts';

/** What a rotation was like for the events during it. */
interface Rotation {
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
	run: RunContext,
	hooks: Pick<SandboxOptions, 'onExchange' | 'onDelivery'>,
): Promise<Rotation> {
	let ahead = 0;
	const now = () => new Date(Date.now() + ahead);
	const { sandbox, account, active } = await startSandboxFixture(run, { now, ...hooks });
	const unknown = { signingSecret: 'not known yet' };
	const credential = await n8n.addCredential('cardPlatformWebhookApi', unknown);
	// The sandbox's clock goes a day ahead, and so do the timestamps of its deliveries.
	const options = { timestampTolerance: 200_000 };
	const made = workflowOf('Rotation', [
		triggerNode('Trigger', credential, { options }),
		node('Downstream', 'n8n-nodes-base.noOp'),
	]);
	const workflow = { ...made, id: await n8n.addWorkflow(made) };
	const endpoint = await sandbox.subscribe(account.id, n8n.webhookUrl(workflow));
	const old = endpoint.signingSecret;
	const rotation: Rotation = { workflow, purchased: [], delivered: [], refused: [] };

	const purchase = async () => {
		const { event } = await sandbox.authorize({ cardId: active[0].id, amount: '1.00' });
		rotation.purchased.push(event.id);
		const delivery = await waitUntil(
			async () =>
				(await sandbox.deliveries({ eventId: event.id })).find(
					({ status }) => status !== 'pending',
				),
			{ what: 'the delivery', withinMs: 90_000 },
		);
		if (delivery.status === 'delivered') rotation.delivered.push(event.id);
		const statuses = delivery.attempts.map(({ httpStatus }) => httpStatus);
		rotation.refused.push(...statuses.filter((status) => status !== 200));
	};

	await n8n.changeCredential(credential, { signingSecret: old });
	await n8n.publish(workflow.id);
	await purchase();
	const signingSecret = await sandbox.rotateSecret(endpoint.id);
	await purchase();
	await n8n.changeCredential(credential, { signingSecret, previousSigningSecret: old });
	await purchase();
	// A corrected secret counts within 30 s, and the old one is valid for 24 hours.
	const url = n8n.webhookUrl(workflow);
	const { body, headers } = signedDelivery({}, signingSecret);
	const probe = { body, headers: { ...headers, 'x-webhook-topic': 'test.of_the_new_secret.v1' } };
	const isKnown = async () => (await deliver(url, probe)) === 200;
	await waitUntil(isKnown, { what: 'the new secret to count', withinMs: 90_000 });
	ahead = 25 * 3_600_000;
	await purchase();
	await n8n.changeCredential(credential, { signingSecret });
	await purchase();
	return rotation;
}
