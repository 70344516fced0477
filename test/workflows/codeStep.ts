import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';

import { DateTime } from 'luxon';

import { workflowsFolder } from '../../dev/harness/tools/paths';

/** The JSON of an item. */
export type Json = Record<string, unknown>;

interface Workflow {
	nodes: { name: string; parameters: { jsCode?: string } }[];
}

/** What a Code step sees of the workflow. */
interface Surroundings {
	/** What the steps that ran put out, by their names. */
	outputs?: Record<string, Json[]>;
	/** The items that it gets. */
	input?: Json[];
	/** More of its global variables. */
	globals?: Json;
}

const scripts = new Map<string, Script>();

/** Compiles the code of a step of a workflow file, once. */
function compile(file: string, step: string): Script {
	const key = `${file}: ${step}`;
	const known = scripts.get(key);
	if (known) return known;
	const { nodes } = JSON.parse(readFileSync(join(workflowsFolder, file), 'utf8')) as Workflow;
	const code = nodes.find(({ name }) => name === step)?.parameters.jsCode;
	if (code === undefined) throw new Error(`${file} has no Code step "${step}"`);
	const script = new Script(`(() => {${code}\n})()`);
	scripts.set(key, script);
	return script;
}

/** Runs the code of a step of a workflow file in a sandbox of Node.js; gives what it returns, or throws what it throws. */
export function runCode(
	file: string,
	step: string,
	{ outputs = {}, input = [], globals = {} }: Surroundings,
): unknown {
	const items = (jsons: Json[]) => ({
		all: () => jsons.map((json) => ({ json })),
		first: () => ({ json: jsons[0] }),
		itemMatching: (index: number) => ({ json: jsons[index] }),
		isExecuted: true,
	});
	const context = createContext({
		$: (name: string) => {
			const output = outputs[name];
			return output === undefined ? { isExecuted: false } : items(output);
		},
		$input: items(input),
		$now: DateTime.now(),
		$execution: { id: '1' },
		$workflow: { id: 'this' },
		DateTime,
		Date,
		...globals,
	});
	return structuredClone(compile(file, step).runInContext(context));
}

/** The same for a Code step that returns items: gives their JSON. Only code is tested so; what n8n makes of it, n8n shows. */
export const codeStep =
	(file: string, step: string) =>
	(surroundings: Surroundings): Json[] =>
		(runCode(file, step, surroundings) as { json: Json }[]).map(({ json }) => json);
