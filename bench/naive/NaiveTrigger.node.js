const { createHmac, timingSafeEqual } = require('node:crypto');

/** A trigger that verifies each delivery the simple way: reads the credential, compares, emits. */
class NaiveTrigger {
	description = {
		displayName: 'Naive Trigger',
		name: 'naiveTrigger',
		group: ['trigger'],
		version: 1,
		description: 'For comparison',
		defaults: { name: 'Naive Trigger' },
		inputs: [],
		outputs: ['main'],
		credentials: [{ name: 'cardPlatformWebhookApi', required: true }],
		webhooks: [
			{ name: 'default', httpMethod: 'POST', path: 'webhook', responseMode: 'onReceived' },
		],
		properties: [],
	};

	webhookMethods = {
		default: {
			checkExists: async () => false,
			create: async () => true,
			delete: async () => true,
		},
	};

	async webhook() {
		const { signingSecret } = await this.getCredentials('cardPlatformWebhookApi');
		const { rawBody } = this.getRequestObject();
		const expected = `v0=${createHmac('sha256', signingSecret).update(rawBody).digest('hex')}`;
		const signature = String(this.getHeaderData()['x-webhook-signature']);
		const isGenuine =
			signature.length === expected.length &&
			timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
		if (!isGenuine) {
			this.getResponseObject().status(401).end();
			return { noWebhookResponse: true };
		}
		return { workflowData: [this.helpers.returnJsonArray(this.getBodyData())] };
	}
}

module.exports = { NaiveTrigger };
