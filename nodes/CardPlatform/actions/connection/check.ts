import { z } from 'zod';

import type { Operation } from '../operation';

/** GET /health (§4): whether the API responds and accepts the credential. */
export const check: Operation = {
	value: 'check',
	name: 'Check',
	action: 'Check connection',
	description: 'Check that the API can be reached and accepts the key',
	effect: 'read',
	returns: z.object({ success: z.boolean(), response: z.object({ status: z.string() }) }),
	fields: [],
	async run(api) {
		return { success: true, response: (await api.getRaw('/health')).data };
	},
};
