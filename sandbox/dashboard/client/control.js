/**
 * Sends a request to the control plane; gives its JSON, or undefined for an empty answer. Throws
 * an Error with the message of §7, or one that says that nothing answered.
 *
 * @param {'GET' | 'POST' | 'DELETE'} method
 * @param {string} path below /sandbox
 * @param {object} [body]
 */
export async function control(method, path, body) {
	const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
	const response = await fetch(`/sandbox${path}`, init).catch(() => {
		throw new Error('The sandbox does not respond. Is it still running?');
	});
	const text = await response.text();
	const answer = text === '' ? undefined : JSON.parse(text);
	if (!response.ok) throw new Error(answer?.message ?? `HTTP status ${response.status}`);
	return answer;
}
