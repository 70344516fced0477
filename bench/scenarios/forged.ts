import {
	byDefault,
	legacy,
	naiveTrigger,
	planDeliveries,
	stripeTrigger,
	thisTrigger,
	webhookAndCode,
} from '../deliveries.ts';
import type { Scenario } from '../scenario.ts';

/** Deliveries with a wrong signature. */
export const forged: Scenario = {
	name: 'forged',
	plan: async (context) =>
		await planDeliveries(context, {
			title: 'Trigger: forged deliveries',
			about:
				'The triggers leave no execution behind, which is checked; Webhook + Code leaves one for each forged delivery.',
			isGenuine: false,
			receivers: [thisTrigger, webhookAndCode, naiveTrigger, stripeTrigger],
			goals: [
				{ engine: byDefault, over: webhookAndCode, wanted: 1.4 },
				{ engine: legacy, over: webhookAndCode, wanted: 4 },
			],
			ifMissed:
				'The isolate that n8n creates for each delivery to a trigger makes up most of the time; its Webhook node needs none.',
		}),
};
