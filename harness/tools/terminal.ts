/** Progress on the terminal: lines that stay, and one line at the bottom that changes. */
export interface Reporter {
	/** Writes a line that stays. */
	line(text?: string): void;
	/** Shows what is going on right now, until the next call or the next line; a file or a pipe does not get it. */
	progress(text: string): void;
	/** Removes the line that changes. */
	end(): void;
}

/** Moves to the start of the line and clears it. */
const clearLine = '\r\u001b[K';

/** Reports to a terminal, or to a file or a pipe. */
export function terminal(stream: NodeJS.WriteStream = process.stdout): Reporter {
	const clear = stream.isTTY ? clearLine : '';
	return {
		line: (text = '') => void stream.write(`${clear}${text}\n`),
		progress(text) {
			if (stream.isTTY) stream.write(`${clear}${text} …`);
		},
		end: () => void stream.write(clear),
	};
}

/** A time in seconds, with one decimal, from milliseconds: "12.3 s". */
export function seconds(ms: number): string {
	return `${(ms / 1000).toFixed(1)} s`;
}
