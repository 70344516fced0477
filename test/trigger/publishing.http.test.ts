import { HookContext } from 'n8n-core';
import type { INodeParameters, WorkflowActivateMode, WorkflowExecuteMode } from 'n8n-workflow';
import { z } from 'zod';

import { createNode, type Credentials } from '../../dev/harness/core/credentials.ts';
import { createAdditionalData } from '../../dev/harness/core/runNode.ts';
import { CardPlatformTrigger } from '../../nodes/CardPlatform/CardPlatformTrigger.node';
import { createTriggerWorkflow } from '../support/trigger';

// What n8n calls when it publishes a workflow.
const methods = new CardPlatformTrigger().webhookMethods.default;

const credentials: Credentials = { cardPlatformWebhookApi: { signingSecret: 'new' } };

function activate(
	data: Credentials,
	parameters: INodeParameters = {},
	mode: WorkflowExecuteMode = 'trigger',
	activation: WorkflowActivateMode = 'activate',
) {
	const node = createNode('cardPlatformTrigger', parameters);
	return new HookContext(
		createTriggerWorkflow(node),
		node,
		createAdditionalData(data),
		mode,
		activation,
	);
}

test('publishing succeeds with a secret and right values, and is never skipped', async () => {
	const context = activate(credentials, { events: ['declined'], filters: { currencies: 'usd' } });
	expect(await methods.checkExists.call(context)).toBe(false);
	expect(await methods.create.call(context)).toBe(true);
	expect(await methods.delete.call(context)).toBe(true);
});

test('publishing succeeds with All Events beside others when n8n starts', async () => {
	for (const activation of ['init', 'leadershipChange'] as const) {
		const context = activate(credentials, { events: ['declined', 'all'] }, 'trigger', activation);
		expect(await methods.create.call(context)).toBe(true);
	}
});

test('publishing needs a secret of the production URL; a test event does not', async () => {
	const data = { cardPlatformWebhookApi: { signingSecret: '', testSigningSecret: 'test' } };
	expect(await methods.create.call(activate(data, {}, 'manual', 'manual'))).toBe(true);
	await expect(methods.create.call(activate(data))).rejects.toThrow('has no signing secret');
});

test.each<[string, Credentials, INodeParameters, string]>([
	['no secret', { cardPlatformWebhookApi: {} }, {}, 'has no signing secret'],
	['no event type', credentials, { events: [] }, 'Trigger On is empty'],
	['a wrong filter', credentials, { filters: { currencies: 'dollars' } }, 'Currencies'],
	['a wrong tolerance', credentials, { options: { timestampTolerance: -1 } }, 'not valid: -1'],
	['all and others', credentials, { events: ['declined', 'all'] }, '"All Events" and other'],
])('publishing is refused with %s', async (_name, data, parameters, says) => {
	const refused = methods.create.call(activate(data, parameters)).catch((error: unknown) => error);
	const error = z
		.object({ message: z.string(), description: z.string().min(1) })
		.parse(await refused);
	expect(error.message).toContain(says);
	// n8n shows the message only.
	expect(error.message).toContain(error.description);
});
