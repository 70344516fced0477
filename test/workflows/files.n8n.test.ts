import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { n8nIsSince } from '../../harness/n8n/version.ts';
import { n8nFolder, workflowsFolder } from '../../harness/tools/paths.ts';
import { CardPlatform } from '../../nodes/CardPlatform/CardPlatform.node';
import { CardPlatformPollingTrigger } from '../../nodes/CardPlatform/CardPlatformPollingTrigger.node';
import { CardPlatformTrigger } from '../../nodes/CardPlatform/CardPlatformTrigger.node';

const sides = z.tuple([z.number(), z.number()]);
const workflowSchema = z.object({
	name: z.string(),
	nodes: z.array(
		z.object({
			name: z.string(),
			type: z.string(),
			typeVersion: z.number(),
			position: sides,
			parameters: z.object({ width: z.number().optional(), height: z.number().optional() }),
		}),
	),
	connections: z.record(z.record(z.array(z.array(z.object({ node: z.string() })).nullable()))),
	settings: z.object({ executionOrder: z.string() }),
});
const typesSchema = z.array(
	z.object({ name: z.string(), version: z.union([z.number(), z.array(z.number())]) }),
);

type Node = z.infer<typeof workflowSchema>['nodes'][number];

const stickyNote = 'n8n-nodes-base.stickyNote';

/** What a node with its name below takes on n8n's canvas, in its units. */
const nodeSize = [120, 140] as const;

const isNote = ({ type }: Node) => type === stickyNote;

/** The corners of a node or note: left, top, right, bottom. */
function area({ position: [left, top], parameters, ...node }: Node) {
	const [width, height] = isNote({ position: [left, top], parameters, ...node })
		? [parameters.width ?? 240, parameters.height ?? 160]
		: nodeSize;
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

/** The versions of every node that the n8n that runs knows, by its type. */
function knownVersions(): Map<string, number[]> {
	const known = new Map<string, number[]>();
	const add = (type: string, version: number | number[]) =>
		known.set(type, [...(known.get(type) ?? []), version].flat());
	for (const [scope, name] of [
		['', 'n8n-nodes-base'],
		['@n8n', 'n8n-nodes-langchain'],
	] as const) {
		const folder = join(n8nFolder, 'node_modules', scope, name);
		const text = readFileSync(join(folder, 'dist', 'types', 'nodes.json'), 'utf8');
		for (const node of typesSchema.parse(JSON.parse(text))) {
			add(`${join(scope, name)}.${node.name}`, node.version);
		}
	}
	// n8n makes the step that asks a person from the step that sends to the chat.
	add('@n8n/n8n-nodes-langchain.chatHitlTool', known.get('@n8n/n8n-nodes-langchain.chat') ?? []);
	const own = [new CardPlatform(), new CardPlatformPollingTrigger(), new CardPlatformTrigger()];
	for (const { description } of own) {
		for (const type of [description.name, `${description.name}Tool`]) {
			add(`n8n-nodes-card-platform.${type}`, description.version);
		}
	}
	return known;
}

// Human review of tool calls came with n8n 2.6.
const files = readdirSync(workflowsFolder).filter(
	(file) => file.endsWith('.json') && (n8nIsSince('2.6') || file !== 'agent-that-asks-first.json'),
);

describe.each(files)('workflows/%s', (file) => {
	const text = readFileSync(join(workflowsFolder, file), 'utf8');
	const { name, nodes, connections, settings } = workflowSchema.parse(JSON.parse(text));
	const steps = nodes.filter((node) => !isNote(node));
	const notes = nodes.filter(isNote);

	it('is a file that holds nothing of anybody’s n8n', () => {
		const keys = 'id|credentials|webhookId|instanceId|versionId|pinData|meta|tags|active|shared';
		const found = [...text.matchAll(new RegExp(`"(${keys})":\\s*(.*)`, 'g'))];
		expect(found.map(([line]) => line)).toEqual([]);
	});

	it('runs its steps in the order of the canvas', () => {
		expect(settings).toEqual({ executionOrder: 'v1' });
	});

	it('has the name that its file promises, and a name of its own for every step', () => {
		expect(name).toMatch(/^[A-Z]/);
		expect(new Set(nodes.map((node) => node.name)).size).toBe(nodes.length);
	});

	it('consists of steps that this n8n knows, in their versions', () => {
		const known = knownVersions();
		const unknown = steps.filter(
			({ type, typeVersion }) => known.get(type)?.includes(typeVersion) !== true,
		);
		expect(unknown.map(({ type, typeVersion }) => [type, typeVersion])).toEqual([]);
	});

	it('uses our own nodes in their newest version', () => {
		const known = knownVersions();
		const own = steps.filter(({ type }) => type.startsWith('n8n-nodes-card-platform.'));
		const found = own.map(({ typeVersion }) => typeVersion);
		expect(found).toEqual(own.map(({ type }) => Math.max(...(known.get(type) ?? []))));
	});

	it('connects every step', () => {
		const to = Object.values(connections).flatMap((kinds) =>
			Object.values(kinds)
				.flat()
				.flatMap((targets) => targets ?? []),
		);
		const connected = new Set([...Object.keys(connections), ...to.map(({ node }) => node)]);
		expect([...connected].sort()).toEqual(steps.map((step) => step.name).sort());
	});

	it('lays its steps out so that none covers another', () => {
		const pairs = steps.flatMap((one, index) =>
			steps.slice(index + 1).map((other) => [one, other] as const),
		);
		const covered = pairs.filter(([one, other]) => overlap(one, other));
		expect(covered.map(([one, other]) => [one.name, other.name])).toEqual([]);
	});

	it('has notes that lie apart or in one another, and a step wholly in them or not at all', () => {
		const cut = notes.flatMap((note) =>
			nodes
				.filter((node) => node !== note && overlap(note, node))
				.filter((node) => !holds(note, node) && !(isNote(node) && holds(node, note)))
				.map((node) => [note.name, node.name]),
		);
		expect(cut).toEqual([]);
	});

	it('explains every step in a note', () => {
		const unexplained = steps.filter((step) => !notes.some((note) => holds(note, step)));
		expect(unexplained.map((step) => step.name)).toEqual([]);
	});
});
