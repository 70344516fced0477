import type { TriggerPanelDefinition } from 'n8n-workflow';

import { triggerSubtitle } from '../events/fields';
import { MAX_TEST_EVENTS } from './cardEvents';

const TEST = `<b>While building your workflow</b>, click <b>Fetch Test Event</b>. You get the newest card events that pass the filters (up to ${MAX_TEST_EVENTS}, or 1 with One Execution per Event), or the newest record that you watch. They can still start the published workflow.`;

const PUBLISHED =
	'<b>Once the workflow is published</b>, it checks for new events and changes at the <b>Poll Times</b>, and runs for them. These executions appear in the <a data-key="executions">executions list</a>, not in the editor.';

const BOTH =
	'<b>To react to card events within seconds, too</b>, add a Card Platform Trigger with the same Trigger On, Filters and Each Approved Step, and connect it to the same nodes. An event then normally starts the workflow once.';

/** What the editor shows beside the form of the trigger, before the first event. */
export const triggerPanel: TriggerPanelDefinition = {
	header: 'Check for card events and changes',
	executionsHelp: `${TEST}<br /><br />${PUBLISHED}<br /><br />${BOTH}`,
	activationHint:
		'When your workflow is ready, publish it. It then checks for new events and changes at the Poll Times.',
};

export const ACTIVATION_MESSAGE =
	'New events and changes start this workflow from the next poll on. If it was published before, those since its last poll count, too, unless you have changed what it watches.';

/** The field that says which changes of what is watched start the workflow, and its default. */
const CHANGES = {
	balance: ['balanceCondition', 'availableBelow'],
	cards: ['cardChanges', 'frozen'],
	payments: ['paymentChanges', 'due'],
	transactions: ['transactionStatuses', 'settled'],
};

/** What the canvas shows below the name of the trigger: such as "transactions: settled", or which card events. */
export const pollingSubtitle = triggerSubtitle.replace(
	'={{ ',
	() =>
		`={{ ($rawParameter.watch ?? 'cardEvents') !== 'cardEvents' ? [${JSON.stringify(CHANGES)}[$rawParameter.watch] ?? []].map(([field, initial]) => $rawParameter.watch + ': ' + [$rawParameter[field] ?? initial].flat().map((each) => String(each).startsWith('=') ? 'by expression' : String(each).replace(/[A-Z]/g, ' $&').toLowerCase()).join(', '))[0] : `,
);
