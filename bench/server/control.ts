import { requestJson } from '../../harness/tools/json.ts';
import { type Settings, type Usage, usageSchema } from './settings.ts';

/** An API that does nothing but respond after a while, in a separate process. */
export interface BenchServer {
	/** Without a path. */
	url: string;
	/** Base URL, with the API's prefix. */
	apiUrl: string;
	/** Changes how it behaves; gives what it was used for since the last change. */
	set: (settings: Settings) => Promise<Usage>;
}

/** The path of the API behind a server's URL. */
export const API_PATH = '/v1/public';

/** The API that runs at a URL. */
export const toBenchServer = (url: string, signal?: AbortSignal): BenchServer => ({
	url,
	apiUrl: url + API_PATH,
	set: async (settings) =>
		await requestJson(`${url}/bench`, usageSchema, { method: 'POST', body: settings, signal }),
});
