import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { z } from 'zod';

const stickyNote = 'n8n-nodes-base.stickyNote';
const code = 'n8n-nodes-base.code';
const webhookTrigger = 'n8n-nodes-card-platform.cardPlatformTrigger';

/** Nodes whose values a person changes. */
const editable = new Set(['set', 'filter', 'if', 'switch'].map((name) => `n8n-nodes-base.${name}`));

/** What a screen shows of the canvas, in its units, if n8n zooms out a little. */
const screen = { width: 1600, height: 930 };

/** Files whose notes explain rules or a decision at length; n8n shows all of them at 70 %. */
const tall = new Set(['freeze-and-ask.json', 'spend-policy.json']);

const fileSchema = z.object({
	nodes: z.array(
		z.object({
			name: z.string(),
			type: z.string(),
			position: z.tuple([z.number(), z.number()]),
			parameters: z
				.object({
					content: z.string().default(''),
					width: z.number().default(0),
					height: z.number().default(0),
				})
				.passthrough(),
		}),
	),
});

/** All strings in a value. */
function stringsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null
		? Object.values(value).flatMap((each) => stringsIn(each))
		: [];
}

const workflows = globSync('workflows/*.json').map((file) => {
	const { nodes } = fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
	const notes = nodes.filter(({ type }) => type === stickyNote);
	return { file: basename(file), nodes, notes };
});

const textOf = (notes: (typeof workflows)[number]['notes']) =>
	notes.map(({ parameters }) => parameters.content).join('\n');

function sizeOf(notes: (typeof workflows)[number]['notes']) {
	const side = (axis: 0 | 1, length: 'width' | 'height') =>
		Math.max(...notes.map((note) => note.position[axis] + note.parameters[length])) -
		Math.min(...notes.map((note) => note.position[axis]));
	return { width: side(0, 'width'), height: side(1, 'height') };
}

test('there are workflows', () => {
	expect(workflows.map(({ file }) => file)).toContain('freeze-on-decline.json');
});

describe.each(workflows)('workflows/$file', ({ file, nodes, notes }) => {
	const text = textOf(notes);

	// Every node lies in a note (files.n8n.test.ts).
	it('fits on a screen', () => {
		const { width, height } = sizeOf(notes);
		expect(width).toBeLessThanOrEqual(screen.width);
		expect(height).toBeLessThanOrEqual(tall.has(file) ? 1300 : screen.height);
	});

	it('opens nodes that it has', () => {
		const opened = [...text.matchAll(/\b(?:Open|In) \*\*(.+?)\*\*/g)].map(([, name]) => name);
		const names = [...nodes.map(({ name }) => name), 'Open chat'];
		expect(opened).not.toEqual([]);
		expect(names).toEqual(expect.arrayContaining(opened));
	});

	it('has a new credential made for Read Only, and leaves shared ones alone', () => {
		expect(text).not.toMatch(/\b(turn|switch|set)\b[^.]*\bRead Only\b/i);
		if (/\bread.only\b/i.test(text)) expect(text).toMatch(/create a \**new,? read-only credential/);
	});

	it('calls the address of the API "Base URL"', () => {
		expect(text).not.toMatch(/address of the API|API address|base address|API URL/i);
		if (text.includes('API Key')) expect(text).toContain('Base URL');
	});

	it('has conditions and fields without nested JavaScript', () => {
		const expressions = nodes
			.filter(({ type }) => editable.has(type))
			.flatMap(({ parameters }) => stringsIn(parameters))
			.filter((value) => value.startsWith('='));
		expect(expressions.filter((value) => /=>|\|\||&&|\? |function/.test(value))).toEqual([]);
	});

	it('reads no Code step by its name in an expression, which finds nothing in n8n 1.123 with its default settings', () => {
		const others = nodes.filter(({ type }) => type !== code && type !== stickyNote);
		const named = others
			.flatMap(({ parameters }) => stringsIn(parameters))
			.flatMap((text) => [...text.matchAll(/\$\('([^']+)'\)/g)].map(([, name]) => name));
		const codeSteps = nodes.filter(({ type }) => type === code).map(({ name }) => name);
		expect(named.filter((name) => name !== undefined && codeSteps.includes(name))).toEqual([]);
	});

	it('names the steps for a webhook in an order in which they are possible', () => {
		if (!nodes.some(({ type }) => type === webhookTrigger)) return;
		const steps = [
			/Production URL/,
			/add .* as an endpoint/,
			/create a \**new\** credential/,
			/Every URL has its own signing secret/,
			/\*\*Publish\*\*/,
		];
		const places = steps.map((step) => text.search(step));
		expect(Math.min(...places)).toBeGreaterThan(-1);
		expect(places).toEqual(places.toSorted((a, b) => a - b));
	});
});

test('the first workflow has four nodes, at most two notes, and a canvas of 1000 × 640', () => {
	const first = workflows.find(({ file }) => file === 'freeze-on-decline.json');
	const { nodes = [], notes = [] } = first ?? {};
	expect(nodes.filter(({ type }) => type !== stickyNote).map(({ name }) => name)).toEqual([
		'Declined purchase',
		'Suspicious?',
		'Freeze the card',
		'What happened',
	]);
	expect(notes.length).toBeLessThanOrEqual(2);
	const { width, height } = sizeOf(notes);
	expect(width).toBeLessThanOrEqual(1000);
	expect(height).toBeLessThanOrEqual(640);
});
