import '../../dev/harness/core/patientRegex';

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { DateTime } from 'luxon';
import {
	executeFilter,
	Expression,
	type FilterValue,
	type IWorkflowDataProxyData,
} from 'n8n-workflow';

import { workflowsFolder } from '../../dev/harness/tools/paths';

/** The JSON of an item. */
export type Json = Record<string, unknown>;

interface Step {
	name: string;
	type: string;
	disabled?: boolean;
	alwaysOutputData?: boolean;
	executeOnce?: boolean;
	onError?: string;
	parameters: Json & {
		jsCode?: string;
		conditions?: FilterValue;
		rules?: { values: { conditions: FilterValue }[] };
		assignments?: { assignments: { name: string; value: unknown; type: string }[] };
		includeOtherFields?: boolean;
	};
}

interface Target {
	node: string;
}

/** A workflow as its file holds it. */
export interface StepsFile {
	nodes: Step[];
	connections: Record<string, { main: Target[][] }>;
}

/** What the steps of a workflow did. */
export interface StepsRun {
	/** Their names, in the order in which they ran. */
	steps: string[];
	/** What a step put out; nothing if it did not run. */
	items: (name: string) => Json[];
	/** The texts of a step's items. */
	texts: (name: string) => unknown[];
}

/** Reads a file of the folder `workflows`. */
export const readSteps = (file: string): StepsFile =>
	JSON.parse(readFileSync(join(workflowsFolder, file), 'utf8')) as StepsFile;

/** A workflow with these values entered in a step of the type Edit Fields, which has these fields. */
export function filledIn<File extends { nodes: { name: string }[] }>(
	file: File,
	name: string,
	values: Readonly<Record<string, string>>,
): File {
	const copy = structuredClone(file);
	const step = copy.nodes.find((node) => node.name === name) as Step | undefined;
	for (const each of step?.parameters.assignments?.assignments ?? []) {
		each.value = values[each.name] ?? each.value;
	}
	return copy;
}

/**
 * Runs the logic of a workflow without n8n: Code steps in a sandbox of Node.js, conditions and fields with n8n's own
 * expressions and filters. Every other step puts out what `results` has for it, or else passes its items on.
 *
 * @param trigger the step that `event` starts
 * @throws what a Code step throws
 */
export function runSteps(
	{ nodes, connections }: StepsFile,
	trigger: string,
	event: Json,
	results: Record<string, Json[]> = {},
	now: DateTime = DateTime.now(),
): StepsRun {
	const outputs = new Map<string, Json[]>();
	const named = (name: string) => {
		const read = () => {
			const items = outputs.get(name);
			if (items === undefined) throw new Error(`"${name}" has not run`);
			return items.map((json) => ({ json }));
		};
		const isExecuted = outputs.has(name);
		const [first, last] = [() => read()[0], () => read().at(-1)];
		return { all: read, first, last, item: isExecuted && read()[0], isExecuted };
	};
	const dataFor = (items: Json[], json: Json | undefined) => ({
		$: named,
		$input: { all: () => items.map((each) => ({ json: each })), first: () => ({ json: items[0] }) },
		$json: json,
		$now: now,
		$execution: { id: '1' },
		$workflow: { id: 'this' },
		DateTime,
	});

	function outputsOf(step: Step, items: Json[]): Json[][] {
		const { type, parameters, onError } = step;
		const resolve = (value: unknown, json: Json) =>
			typeof value === 'string' && value.startsWith('=')
				? new Expression(now.zoneName ?? 'utc').resolveSimpleParameterValue(
						value,
						dataFor(items, json) as unknown as IWorkflowDataProxyData,
					)
				: value;
		const passes = (filter: FilterValue, json: Json) =>
			executeFilter({
				...filter,
				conditions: filter.conditions.map((condition) => ({
					...condition,
					leftValue: resolve(condition.leftValue, json) as string,
					rightValue: resolve(condition.rightValue, json) as string,
				})),
			});
		if (step.disabled === true) return [items];
		const { conditions, rules, assignments, jsCode } = parameters;
		switch (type.replace('n8n-nodes-base.', '')) {
			case 'code': {
				const made: unknown = runInNewContext(`(() => {${jsCode ?? ''}\n})()`, {
					...dataFor(items, items[0]),
					Date,
				});
				return [(structuredClone(made) as { json: Json }[]).map(({ json }) => json)];
			}
			case 'set':
				return [
					items.map((json) => {
						const made: Json = parameters.includeOtherFields === true ? { ...json } : {};
						for (const { name, value } of assignments?.assignments ?? []) {
							const [field = '', inner] = name.split('.');
							const resolved = resolve(value, json);
							made[field] =
								inner === undefined ? resolved : { ...Object(made[field]), [inner]: resolved };
						}
						return made;
					}),
				];
			case 'switch': {
				const cases = rules?.values ?? [];
				const place = (json: Json) => cases.findIndex((each) => passes(each.conditions, json));
				return cases.map((_, index) => items.filter((json) => place(json) === index));
			}
			case 'if':
			case 'filter': {
				const isPassed = (json: Json) => conditions !== undefined && passes(conditions, json);
				const failed = items.filter((json) => !isPassed(json));
				return type.endsWith('.if') ? [items.filter(isPassed), failed] : [items.filter(isPassed)];
			}
			default: {
				const result = results[step.name] ?? items;
				if (onError !== 'continueErrorOutput') return [result];
				const hasFailed = ({ error }: Json) => error !== undefined;
				return [result.filter((json) => !hasFailed(json)), result.filter(hasFailed)];
			}
		}
	}

	const queue: [string, Json[]][] = [[trigger, [event]]];
	const merges = new Map<string, Json[]>();
	const isMerge = (name: string) =>
		nodes.some((node) => node.name === name && node.type.endsWith('.merge'));
	while (queue.length > 0 || merges.size > 0) {
		const [name, items] = queue.shift() ?? [...merges][0] ?? ['', []];
		merges.delete(name);
		const step = nodes.find((each) => each.name === name);
		if (step === undefined) throw new Error(`no step "${name}"`);
		const all = outputsOf(step, step.executeOnce === true ? items.slice(0, 1) : items);
		if (all.flat().length === 0 && step.alwaysOutputData === true) all[0] = [{}];
		outputs.set(name, all.flat());
		for (const [index, targets] of (connections[name]?.main ?? []).entries()) {
			const passed = all[index] ?? [];
			if (passed.length === 0) continue;
			for (const { node } of targets) {
				// A Merge step waits for what comes by its other inputs.
				if (isMerge(node)) merges.set(node, [...(merges.get(node) ?? []), ...passed]);
				else queue.push([node, passed]);
			}
		}
	}
	const itemsOf = (name: string) => outputs.get(name) ?? [];
	return {
		steps: [...outputs.keys()],
		items: itemsOf,
		texts: (name) => itemsOf(name).map(({ text }) => text),
	};
}
