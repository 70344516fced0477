import type { INodeParameters } from 'n8n-workflow';

import { createNode } from '../../harness/core/runNode.ts';
import { triggerSubtitle } from '../../nodes/CardPlatform/events/form';
import { createTriggerWorkflow } from '../support/trigger';

test.each<[INodeParameters, string]>([
	[{}, 'all events'],
	[{ events: ['declined'] }, 'declined'],
	[{ events: ['approved', 'refunded'] }, 'approved, refunded'],
	[{ events: ['declined'], filters: { currencies: 'USD' } }, 'declined, filtered'],
	[{ filters: { currencies: '={{ $json.none.none }}' } }, 'all events, filtered'],
	[{ filters: { currencies: '' } }, 'all events'],
	[{ events: '={{ $json.none.none }}' }, 'events by expression'],
	[{ events: '={{ not a program' }, 'events by expression'],
])('%j is shown as: %s', (parameters, subtitle) => {
	const node = createNode('cardPlatformTrigger', parameters);
	const { expression } = createTriggerWorkflow(node);
	expect(expression.getSimpleParameterValue(node, triggerSubtitle, 'internal', {})).toBe(subtitle);
});
