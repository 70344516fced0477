import type { TriggerPanelDefinition } from 'n8n-workflow';

const TEST =
	'<b>While building your workflow</b>, open <b>Webhook URLs</b> in the node settings and copy the <b>test URL</b>. In the dashboard of the card platform (developer settings, webhooks tab), add it as a separate endpoint. Paste the signing secret of that endpoint into a credential. Then click <b>Execute step</b> and use a card, for example for a small purchase. The event appears on the right. The test URL works only while n8n is listening, and only for one event.';

const SECRET =
	'<b>The signing secret is shown only once</b>, when the endpoint is added. When you rotate it, the old one stays valid for 24 hours: paste the new one into <i>Signing Secret</i>, move the old one to <i>Previous Signing Secret</i>, and clear that field a day later. No delivery is lost.';

/** What the editor shows beside the form of the trigger, before the first event. */
export const triggerPanel: TriggerPanelDefinition = {
	header: 'Receive card events',
	executionsHelp: {
		inactive: `${TEST}<br /><br /><b>When your workflow is ready</b>, add the <b>production URL</b> in the dashboard in the same way, and publish the workflow. It then runs for every event. These executions appear in the <a data-key="executions">executions list</a>, not in the editor.<br /><br />${SECRET}`,
		active: `${TEST}<br /><br /><b>The workflow is published</b>: it runs for every event that the card platform sends to the <b>production URL</b>. These executions appear in the <a data-key="executions">executions list</a>, not in the editor.<br /><br />${SECRET}`,
	},
	activationHint:
		'When your workflow is ready, publish it and add the production URL in the dashboard of the card platform. The workflow then runs for every event.',
};

/** Shown while the editor listens for a test event. */
export const EVENT_TRIGGER_DESCRIPTION =
	'Waiting for a card event at the test URL. Use a card, for example for a small purchase.';

/** Shown once the workflow is published. */
export const ACTIVATION_MESSAGE =
	'Card events now start this workflow, provided that its production URL is added in the dashboard of the card platform (developer settings, webhooks tab).';

/** Stands on top of the form; the editor shows it as plain text, without line breaks. */
export const SET_UP_NOTICE =
	'1. Open Webhook URLs above and copy the production URL (the test URL while you build). 2. In the dashboard of the card platform, open developer settings, webhooks tab, and add the URL as an endpoint. 3. Copy the signing secret: it is shown only once. 4. Paste it into the credential of this node. When you rotate the secret, enter the new one and keep the old one as the previous signing secret for 24 hours.';
