import type { TriggerPanelDefinition } from 'n8n-workflow';

const SECRET =
	'<b>The signing secret</b>: open <b>Webhook URLs</b>, and copy the production URL (the test URL while you build). In the dashboard of the card platform, open developer settings, webhooks tab, and add the URL as an endpoint. Copy its signing secret, which is shown only once, into a new credential: into <b>Signing Secret</b> for the production URL, or <b>Test URL Signing Secret</b>.';

const TEST =
	'<b>While building your workflow</b>, add the <b>test URL</b>, which needs a separate endpoint. Then click <b>Execute step</b> and use a card, for example for a small purchase. The event appears on the right. Events that do not pass <b>Trigger On</b> and <b>Filters</b> are skipped. The test URL works only while n8n is listening, and only for one event.<br /><br /><b>No event at hand?</b> Add a <b>Card Platform Polling Trigger</b>: its <b>Fetch Test Event</b> gets past events at once, without an endpoint.';

/** What the editor shows beside the form of the trigger, before the first event. */
export const triggerPanel: TriggerPanelDefinition = {
	header: 'Receive card events',
	executionsHelp: `${SECRET}<br /><br />${TEST}<br /><br /><b>When your workflow is ready</b>, add the <b>production URL</b>, and publish the workflow. It then runs for every event that passes <b>Trigger On</b> and <b>Filters</b>. These executions appear in the <a data-key="executions">executions list</a>, not in the editor. If you unpublish it, remove the endpoint in the dashboard.`,
	activationHint:
		'When your workflow is ready, add the production URL in the dashboard of the card platform and publish the workflow.',
};

/** Shown while the editor listens for a test event. */
export const EVENT_TRIGGER_DESCRIPTION =
	'Waiting for a card event at the test URL, which needs a separate endpoint and its signing secret. Use a card, for example for a small purchase. Events that do not pass Trigger On and Filters are skipped. To get past events at once, use Fetch Test Event of a Card Platform Polling Trigger.';

export const ACTIVATION_MESSAGE =
	'Card events start this workflow once its production URL is an endpoint in the dashboard of the card platform (developer settings, webhooks tab), and the credential has the signing secret of that URL.';

/** Stands right below the credential, because n8n selects the newest one for a new trigger. Of HTML, the editor keeps links. */
export const SET_UP_NOTICE = `Create a new credential for each trigger: every URL has its own signing secret. <a href="https://github.com/n8n-nodes-card-platform/n8n-nodes-card-platform/blob/main/docs/webhooks.md#set-it-up">How to get it</a>`;
