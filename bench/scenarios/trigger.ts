import {
	bareWebhook,
	byDefault,
	lazily,
	legacy,
	naiveTrigger,
	planDeliveries,
	stripeTrigger,
	thisTrigger,
	webhookAndCode,
} from '../deliveries.ts';
import type { Scenario } from '../scenario.ts';

/** Genuine deliveries. */
export const trigger: Scenario = {
	name: 'trigger',
	plan: async (context) =>
		await planDeliveries(context, {
			title: 'Trigger: genuine deliveries',
			isGenuine: true,
			receivers: [thisTrigger, bareWebhook, webhookAndCode, naiveTrigger, stripeTrigger],
			goals: [
				{ engine: byDefault, over: naiveTrigger, wanted: 1.4 },
				{ engine: byDefault, over: stripeTrigger, wanted: 0.97 },
				{ engine: lazily, over: stripeTrigger, wanted: 1.3 },
				{ engine: legacy, over: bareWebhook, wanted: 0.92 },
			],
			ifMissed:
				'The bare node has no credential. For a workflow with one, n8n checks in its database before each execution whether it may be used.',
		}),
};
