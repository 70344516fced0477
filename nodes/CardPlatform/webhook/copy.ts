import type { TriggerPanelDefinition } from 'n8n-workflow';

const TEST =
	'<b>While building your workflow</b>, open <b>Webhook URLs</b> in the form beside this and copy the <b>test URL</b>. Enter it in the dashboard of the card platform (developer settings, webhooks tab) as an endpoint of its own, and put the signing secret that it shows into a credential. Then click <b>Execute step</b> and make something happen on a card. The event shows up on the right. The test URL works only while n8n listens, and for one event.';

const SECRET =
	'<b>The signing secret is shown once</b>, when the endpoint is added. When you rotate it, the old one stays valid for 24 hours: paste the new one into <i>Signing Secret</i>, move the old one to <i>Previous Signing Secret</i>, and empty that a day later. No delivery is lost.';

/** What the editor shows beside the form of the trigger, before the first event. */
export const triggerPanel: TriggerPanelDefinition = {
	header: 'Receive card events',
	executionsHelp: {
		inactive: `${TEST}<br /><br /><b>When it is done</b>, enter the <b>production URL</b> in the dashboard in the same way, and publish the workflow. It then runs for every event; you find those runs in the <a data-key="executions">executions list</a>, not in the editor.<br /><br />${SECRET}`,
		active: `${TEST}<br /><br /><b>The workflow is published</b>: it runs for every event that the card platform sends to the <b>production URL</b>. You find those runs in the <a data-key="executions">executions list</a>, not in the editor.<br /><br />${SECRET}`,
	},
	activationHint:
		'Once your workflow is done, publish it and enter the production URL in the dashboard of the card platform, to have it run for every event.',
};

/** Shown while the editor listens for a test event. */
export const EVENT_TRIGGER_DESCRIPTION =
	'Waiting for a card event at the test URL. Make something happen on a card, such as a small purchase.';

/** Shown once the workflow is published. */
export const ACTIVATION_MESSAGE =
	'Card events now start this workflow, as soon as its production URL is entered in the dashboard of the card platform (developer settings, webhooks tab).';

/** Stands on top of the form; the editor shows it as plain text, without line breaks. */
export const SET_UP_NOTICE =
	'1. Open Webhook URLs above and copy the production URL (the test URL while you build). 2. In the dashboard of the card platform, open developer settings, webhooks tab, and add the URL as an endpoint. 3. Copy the signing secret: it is shown once. 4. Paste it into the credential of this node. When you rotate the secret, paste the new one and keep the old one as the previous one for 24 hours.';
