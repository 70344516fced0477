import {
	resolveWebhookDescriptionField,
	webhookDescriptionIsNativelyResolvable,
} from 'n8n-workflow';

import { createNode } from '../../harness/core/runNode.ts';
import { CardPlatformTrigger } from '../../nodes/CardPlatform/CardPlatformTrigger.node';
import { createTriggerWorkflow } from '../support/trigger';

const { webhooks: [webhook] = [] } = new CardPlatformTrigger().description;
if (webhook === undefined) throw new Error('the trigger has no webhook');

describe.each(['onReceived', 'lastNode'])('where the field says %s', (responseMode) => {
	const node = createNode('cardPlatformTrigger', { responseMode });

	test('n8n answers so', () => {
		const { expression } = createTriggerWorkflow(node);
		expect(expression.getSimpleParameterValue(node, webhook.responseMode, 'webhook', {})).toBe(
			responseMode,
		);
	});

	test('n8n knows it without its expression engine', () => {
		expect(resolveWebhookDescriptionField(node, webhook, 'responseMode')).toEqual({
			resolved: true,
			value: responseMode,
		});
	});
});

test('n8n evaluates no expression for a delivery to a trigger that has none', () => {
	expect(webhookDescriptionIsNativelyResolvable(webhook)).toBe(true);
	// For version 1, n8n evaluates an expression before it calls the node.
	expect(new CardPlatformTrigger().description.version).toBe(2);
});
