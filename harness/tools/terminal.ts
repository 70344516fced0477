/** How often a moving line is repeated where it cannot be overwritten, in milliseconds. */
const plainEveryMs = 15_000;

/** Progress on the terminal: lines that stay, and one line at the bottom that moves. */
export interface Reporter {
	/** Writes a line that stays. */
	line(text?: string): void;
	/** Shows what is going on right now; the next call or the next line replaces it. */
	progress(text: string): void;
}

/** Tells the story to a terminal, or, to a file or a pipe, in plain lines. */
export function terminal(stream: NodeJS.WriteStream = process.stdout): Reporter {
	let moving = false;
	let lastPlain = performance.now();
	return {
		line(text = '') {
			if (moving) stream.write('\r\x1b[K');
			moving = false;
			lastPlain = performance.now();
			stream.write(`${text}\n`);
		},
		progress(text) {
			if (stream.isTTY) {
				moving = true;
				stream.write(`\r\x1b[K${text.slice(0, stream.columns - 1)}`);
			} else if (performance.now() - lastPlain >= plainEveryMs) {
				lastPlain = performance.now();
				stream.write(`${text}\n`);
			}
		},
	};
}

/** Does some work and, once a second until it is done, shows how far it is. */
export async function withProgress<T>(show: () => void, work: () => Promise<T>): Promise<T> {
	const timer = setInterval(show, 1000);
	try {
		return await work();
	} finally {
		clearInterval(timer);
	}
}

/** A time in seconds, with one decimal, from milliseconds: "12.3 s". */
export function seconds(ms: number): string {
	return `${(ms / 1000).toFixed(1)} s`;
}
