import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { z } from 'zod';

import { TIMESTAMP_TOLERANCE_SECONDS } from '../api/assumptions';
import { judge } from './delivery';
import { toKeys } from './keys';

const optionsSchema = z.object({
	timestampTolerance: z.number().nonnegative().default(TIMESTAMP_TOLERANCE_SECONDS),
});

/** The raw bytes of the request; undefined where n8n cannot give them (multipart, aborted). */
async function readBody(context: IWebhookFunctions): Promise<Buffer | undefined> {
	const request = context.getRequestObject();
	try {
		await request.readRawBody();
		return Buffer.isBuffer(request.rawBody) ? request.rawBody : Buffer.alloc(0);
	} catch {
		return undefined;
	}
}

function answer(context: IWebhookFunctions, status: number, body: IDataObject) {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true } satisfies IWebhookResponseData;
}

/**
 * Takes one webhook request: emits the event of a genuine delivery, answers everything else by
 * itself, so that no forged request starts an execution (§6). Never throws: n8n would record a
 * failed execution for it.
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const options = optionsSchema.parse(this.getNodeParameter('options', {}));
		const verdict = await judge(
			{ body: await readBody(this), headers: this.getHeaderData() },
			async () => toKeys(await this.getCredentials('cardPlatformWebhookApi')),
			Date.now(),
			options.timestampTolerance,
		);
		switch (verdict.kind) {
			case 'accepted':
				return { workflowData: [[{ json: verdict.item }]] };
			case 'ignored':
				return answer(this, 200, { ignored: verdict.reason });
			case 'rejected':
				this.logger.warn(`Card Platform Trigger refused a delivery: ${verdict.reason}`);
				return answer(this, verdict.status, {
					code: verdict.status === 401 ? 'unauthorized' : 'bad-request',
					message: verdict.reason,
				});
		}
	} catch (error) {
		// The sender tries again after a 500, so the event is not lost.
		this.logger.error('Card Platform Trigger could not check a delivery', {
			reason: error instanceof Error ? error.message : 'unknown',
		});
		return answer(this, 500, { code: 'internal-server-error', message: 'delivery not checked' });
	}
}
