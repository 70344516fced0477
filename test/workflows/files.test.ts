import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { knownNodeTypes } from '../../dev/harness/core/runNode.ts';
import { eventSchema } from '../../nodes/CardPlatform/api/event';

const stickyNote = 'n8n-nodes-base.stickyNote';
const code = 'n8n-nodes-base.code';
const webhookTrigger = 'n8n-nodes-card-platform.cardPlatformTrigger';

/** Nodes whose values a person changes. */
const editable = new Set(['set', 'filter', 'if', 'switch'].map((name) => `n8n-nodes-base.${name}`));

/** What a screen shows of the canvas, in its units, if n8n zooms out a little. */
const screen = { width: 1600, height: 930 };

/** Files whose notes explain rules or a decision at length; n8n shows all of them at 70 %. */
const tall = new Set(['freeze-and-ask.json', 'spend-policy.json']);

interface Node {
	name: string;
	type: string;
	typeVersion: number;
	disabled?: boolean;
	position: [number, number];
	parameters: { content?: string; width?: number; height?: number };
}

interface File {
	name: string;
	nodes: Node[];
	connections: Record<string, Record<string, ({ node: string }[] | null)[]>>;
	settings: object;
	pinData?: Record<string, { json: Record<string, unknown> }[]>;
}

const SANDBOX_CARD = /^ca4d0000-0000-4000-8000-0{10}\d\d$/;

/** All strings in a value. */
function stringsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null
		? Object.values(value).flatMap((each) => stringsIn(each))
		: [];
}

const workflows = globSync('workflows/*.json').map((file) => {
	const json = readFileSync(file, 'utf8');
	const parsed = JSON.parse(json) as File;
	const notes = parsed.nodes.filter(({ type }) => type === stickyNote);
	const steps = parsed.nodes.filter(({ type }) => type !== stickyNote);
	return { file: basename(file), json, ...parsed, notes, steps };
});

const textOf = (notes: Node[]) =>
	notes.map(({ parameters }) => parameters.content ?? '').join('\n');

/** The corners of a note, or of a node with its name below, in the units of n8n's canvas. */
function area({ type, position: [left, top], parameters, disabled }: Node) {
	const isNote = type === stickyNote;
	// Below the name of a deactivated node, n8n says so.
	const [width, height] = isNote
		? [parameters.width ?? 240, parameters.height ?? 160]
		: [120, disabled ? 168 : 140];
	return { left, top, right: left + width, bottom: top + height };
}

function overlap(one: Node, other: Node): boolean {
	const [a, b] = [area(one), area(other)];
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function holds(note: Node, node: Node): boolean {
	const [a, b] = [area(note), area(node)];
	return a.left <= b.left && b.right <= a.right && a.top <= b.top && b.bottom <= a.bottom;
}

function sizeOf(notes: Node[]) {
	const areas = notes.map(area);
	const most = (side: 'right' | 'bottom') => Math.max(...areas.map((each) => each[side]));
	const least = (side: 'left' | 'top') => Math.min(...areas.map((each) => each[side]));
	return { width: most('right') - least('left'), height: most('bottom') - least('top') };
}

describe.each(workflows)('workflows/$file', (workflow) => {
	const { file, json, name, nodes, notes, steps, connections, settings, pinData = {} } = workflow;
	const text = textOf(notes);

	it('is a file that holds nothing of anybody’s n8n', () => {
		const keys = 'id|credentials|webhookId|instanceId|versionId|meta|tags|active|shared';
		const others = JSON.stringify({ ...(JSON.parse(json) as File), pinData: undefined });
		expect(others.match(new RegExp(`"(${keys})":`, 'g'))).toBeNull();
	});

	it('has a made-up sample of what starts it, with a card of the sandbox only', () => {
		const triggers = steps.filter(({ type }) => /\.cardPlatform\w*Trigger$/.test(type));
		expect(Object.keys(pinData).sort()).toEqual(triggers.map((step) => step.name).sort());
		for (const { json: event } of Object.values(pinData).flat()) {
			expect(() => eventSchema.parse(event)).not.toThrow();
			// A bill has no card, and the ID of a card is its own.
			const ids = [event.cardId, event.id].filter((id) => String(id).startsWith('ca4d'));
			expect(ids).toEqual('dueDate' in event ? [] : [expect.stringMatching(SANDBOX_CARD)]);
			expect(JSON.stringify(event)).toContain('not a real event');
			expect(text).toContain('uses a sample event, pinned to the trigger');
		}
	});

	it('runs its steps in the order of the canvas, each with a name of its own', () => {
		expect(settings).toEqual({ executionOrder: 'v1' });
		expect(name).toMatch(/^[A-Z]/);
		expect(new Set(nodes.map((node) => node.name)).size).toBe(nodes.length);
	});

	it('uses our own nodes in their newest version', () => {
		for (const { type, typeVersion } of steps) {
			if (!type.startsWith('n8n-nodes-card-platform.')) continue;
			const { description } = knownNodeTypes.getByNameAndVersion(type.replace(/Tool$/, ''));
			expect(typeVersion).toBe(Math.max(...[(description as { version: number }).version].flat()));
		}
	});

	it('sets only fields that our nodes have', () => {
		for (const { type, parameters } of steps) {
			if (!type.startsWith('n8n-nodes-card-platform.')) continue;
			const { description } = knownNodeTypes.getByNameAndVersion(type.replace(/Tool$/, ''));
			const names = description.properties.map((field) => field.name);
			// n8n adds these.
			const added = ['descriptionType', 'toolDescription', 'pollTimes'];
			expect(
				Object.keys(parameters).filter((name) => ![...names, ...added].includes(name)),
			).toEqual([]);
		}
	});

	it('sends text to Teams, which would be HTML with a link to the workflow, and stops at no time that cannot be read', () => {
		const teams = steps.filter(({ type }) => type === 'n8n-nodes-base.microsoftTeams');
		for (const { parameters } of teams) {
			expect(parameters).toMatchObject({ options: { includeLinkToWorkflow: false } });
		}
		expect(stringsIn(steps).filter((value) => value.includes('.toDateTime('))).toEqual([]);
	});

	it('connects every step', () => {
		const to = Object.values(connections).flatMap((kinds) =>
			Object.values(kinds).flatMap((outputs) => outputs.flatMap((targets) => targets ?? [])),
		);
		const connected = new Set([...Object.keys(connections), ...to.map(({ node }) => node)]);
		expect([...connected].sort()).toEqual(steps.map((step) => step.name).sort());
	});

	it('lays its steps out so that none covers another, and explains each in a note', () => {
		const covered = steps.flatMap((one, index) =>
			steps.slice(index + 1).filter((other) => overlap(one, other)),
		);
		expect(covered).toEqual([]);
		expect(steps.filter((step) => !notes.some((note) => holds(note, step)))).toEqual([]);
	});

	it('has notes that lie apart or in one another, and a step wholly in them or not at all', () => {
		const isCut = (note: Node, node: Node) =>
			node !== note &&
			overlap(note, node) &&
			!holds(note, node) &&
			!(node.type === stickyNote && holds(node, note));
		expect(notes.flatMap((note) => nodes.filter((node) => isCut(note, node)))).toEqual([]);
	});

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

// What it changes, it changes after a question without a time limit: that would pass on what the model approved itself.
test('the agent that asks first has its tools that change a card connected to nothing but their questions', () => {
	const file = workflows.find((each) => each.file === 'agent-that-asks-first.json');
	const { nodes = [], connections = {} } = file ?? {};
	const changing = nodes.filter(
		({ type, parameters }) =>
			type.endsWith('.cardPlatformTool') &&
			!['get', 'getAll'].includes(String((parameters as { operation?: string }).operation)),
	);
	const targets = changing.map(({ name }) => [
		name,
		connections[name]?.ai_tool?.flat().map((target) => target?.node),
	]);
	expect(targets).toEqual([
		['Freeze a card', ['Ask before freezing']],
		['Unfreeze a card', ['Ask before unfreezing']],
	]);
	const asking = nodes.filter(({ type }) => type.endsWith('.chatHitlTool'));
	expect(asking.map(({ parameters }) => parameters)).toEqual([
		expect.objectContaining({ options: {} }),
		expect.objectContaining({ options: {} }),
	]);
	expect(JSON.stringify(asking)).not.toContain('limitWaitTime');
});

test.each(['freeze-on-decline.json', 'alert-on-declines.json'])(
	'%s starts with declines only',
	(name) => {
		const { steps = [] } = workflows.find(({ file }) => file === name) ?? {};
		const triggers = steps.filter((step) => step.name.startsWith('Declined purchase'));
		for (const { parameters } of triggers)
			expect(parameters).toMatchObject({ events: ['declined'] });
		expect(triggers).not.toEqual([]);
	},
);

test('what a workflow tells, it can tell by e-mail; only a question needs Slack', () => {
	const files = (type: string) =>
		workflows
			.filter(({ json }) => json.includes(`"n8n-nodes-base.${type}"`))
			.map(({ file }) => file);
	const byMail = files('emailSend');
	expect(files('slack').filter((file) => !byMail.includes(file))).toEqual(['freeze-and-ask.json']);
	const needed = workflows.flatMap(({ steps }) =>
		steps.filter(({ type, disabled }) => /slack|Teams/.test(type) && disabled !== true),
	);
	expect(needed).toEqual([]);
});

test('the first workflow has four nodes and an e-mail, at most two notes, and a canvas of 1000 × 640', () => {
	const first = workflows.find(({ file }) => file === 'freeze-on-decline.json');
	const { nodes = [], notes = [] } = first ?? {};
	expect(nodes.filter(({ type }) => type !== stickyNote).map(({ name }) => name)).toEqual([
		'Declined purchase',
		'Suspicious?',
		'Freeze the card',
		'What happened',
		'Send e-mail',
	]);
	expect(notes.length).toBeLessThanOrEqual(2);
	const { width, height } = sizeOf(notes);
	expect(width).toBeLessThanOrEqual(1000);
	expect(height).toBeLessThanOrEqual(640);
});
