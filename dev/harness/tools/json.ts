export interface JsonRequest {
	method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	headers?: Record<string, string>;
	body?: object;
}

/** Sends a JSON request and gives the answer. Throws, with the answer's text, when it is no success. */
export async function requestOk(
	url: string,
	{ method = 'GET', headers = {}, body }: JsonRequest = {},
): Promise<Response> {
	const response = await fetch(url, {
		method,
		headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
		body: body ? JSON.stringify(body) : null,
	});
	if (response.ok) return response;
	throw new Error(
		`${method} ${url} was answered with ${response.status}: ${await response.text()}`,
	);
}

/** Sends a JSON request and gives the answer, of which it is not checked what it holds. */
export async function requestJson<T>(url: string, request: JsonRequest = {}): Promise<T> {
	return (await (await requestOk(url, request)).json()) as T;
}
