import { z } from 'zod';
import { requestJson } from '../../harness/tools/json.ts';
import type { Settings } from './settings.ts';

const changeSchema = z.object({ frozen: z.number(), requests: z.number() });

/** An API that does nothing but answer after a while, in a separate process. */
export interface BenchServer {
	/** Without a path. */
	url: string;
	/** Base URL, with the API's prefix. */
	apiUrl: string;
	/** Changes how it behaves; gives how many cards were frozen, and requests handled, since the last change. */
	set: (settings: Settings) => Promise<z.infer<typeof changeSchema>>;
}

/** The API that runs at a URL. */
export const toBenchServer = (url: string, signal?: AbortSignal): BenchServer => ({
	url,
	apiUrl: `${url}/v1/public`,
	set: async (settings) =>
		await requestJson(`${url}/bench`, changeSchema, { method: 'POST', body: settings, signal }),
});
