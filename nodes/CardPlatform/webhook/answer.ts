import { type INodeProperties, type IWebhookDescription, WEBHOOK_RESOLVERS } from 'n8n-workflow';

/** The answer that leaves an event with the sender until the workflow is through: n8n's own name. */
export const ANSWER_AT_THE_END = 'lastNode';

/** When a genuine delivery is answered with 2xx; the values are n8n's response modes. */
export const answerProperty: INodeProperties = {
	displayName: 'Answer the Delivery',
	name: 'answer',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'At Once',
			value: 'onReceived',
			description:
				'As soon as n8n has taken the event. Executions interrupted by a crash are lost.',
		},
		{
			name: 'When the Workflow Has Ended',
			value: ANSWER_AT_THE_END,
			description:
				'If the workflow fails, or n8n crashes during it, the card platform gets no 2xx and can deliver again, so one event may run twice. For workflows that take seconds: at a Wait of 65 seconds or more, or at an approval step, n8n answers 200, and after a later failure the event is not delivered again.',
		},
	],
	default: 'onReceived',
};

const template = `={{$parameter["${answerProperty.name}"]}}`;

/**
 * When n8n answers: as the field says. n8n 2.36 and later read the field by `resolve`, so that
 * nothing is evaluated for a delivery; older versions evaluate the template.
 */
export const responseMode = {
	responseMode: template,
	[WEBHOOK_RESOLVERS]: { responseMode: { template, resolve: ({ answer }) => answer } },
} satisfies Partial<IWebhookDescription>;
