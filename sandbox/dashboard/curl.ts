/** A request to show as a command. */
interface CurlRequest {
	url: string;
	method?: string;
	headers?: [name: string, value: string][];
	body?: string;
}

/** With -X HEAD, curl would wait for a body. */
const METHOD_OPTIONS: Record<string, string> = { GET: '', HEAD: ' --head' };

/**
 * Gives the curl command of a request to the API, with a variable in place of the key. Without --globoff, curl
 * would expand brackets in the URL.
 */
export function curl({ url, method = 'GET', headers = [], body = '' }: CurlRequest): string {
	return [
		`curl${/[[\]{}]/.test(url) ? ' --globoff' : ''}${METHOD_OPTIONS[method] ?? ` -X ${method}`}`,
		'-H "Authorization: Bearer $API_KEY"',
		...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
		...(body === '' ? [] : [`--data-raw ${quoted(body)}`]),
		quoted(url),
	].join(' ');
}

/** A POSIX shell expands nothing between single quotes. */
const quoted = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;
