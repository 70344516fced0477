import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';

export { InvalidArgumentError, Option };

/**
 * A script's command line. `--help` shows what it can do; an option that is unknown or invalid ends the
 * program with exit code 1 before anything is started.
 */
export function commandLine(name: string, description: string): Command {
	return new Command(name)
		.description(description)
		.allowExcessArguments(false)
		.showHelpAfterError()
		.configureHelp({ helpWidth: 110 });
}

/** Reads an option that is a whole number within bounds. */
export function integer(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
	return (text) => {
		const number = Number(text);
		if (Number.isInteger(number) && number >= least && number <= most) return number;
		const bounds = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`;
		throw new InvalidArgumentError(`It must be a whole number ${bounds}.`);
	};
}
