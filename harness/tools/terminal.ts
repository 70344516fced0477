import yoctoSpinner from 'yocto-spinner';

/** Progress on the terminal: lines that stay, and one line at the bottom that moves. */
export interface Reporter {
	/** Writes a line that stays. */
	line(text?: string): void;
	/** Shows what is going on right now, until the next call or the next line; a file or a pipe does not get it. */
	progress(text: string): void;
	/** Ends what moves. */
	end(): void;
}

/** Reports to a terminal, or to a file or a pipe. */
export function terminal(stream: NodeJS.WriteStream = process.stdout): Reporter {
	// Ctrl-C is the program's: it ends in order.
	const spinner = yoctoSpinner({ stream, handleSignals: false });
	return {
		line(text = '') {
			spinner.stop();
			stream.write(`${text}\n`);
		},
		progress(text) {
			if (!stream.isTTY) return;
			spinner.text = text;
			spinner.start();
		},
		end: () => void spinner.stop(),
	};
}

/** A time in seconds, with one decimal, from milliseconds: "12.3 s". */
export function seconds(ms: number): string {
	return `${(ms / 1000).toFixed(1)} s`;
}
