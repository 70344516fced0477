/** npm passes a terminal's Ctrl-C on to its script, which so gets it twice within moments. */
const echoMs = 500;

/**
 * Turns Ctrl-C, and being told to end, into an aborted signal; a second Ctrl-C calls `force`.
 */
export function onInterrupt(force: () => void): AbortSignal {
	const interrupted = new AbortController();
	let first: number | undefined;
	const handle = () => {
		first ??= performance.now();
		if (!interrupted.signal.aborted) interrupted.abort();
		else if (performance.now() - first > echoMs) force();
	};
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, handle);
	return interrupted.signal;
}
