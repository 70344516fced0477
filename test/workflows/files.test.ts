import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { knownNodeTypes } from '../../dev/harness/core/runNode.ts';
import { eventSchema } from '../../nodes/CardPlatform/api/event';
import { toReadable } from '../../nodes/CardPlatform/events/item';

const stickyNote = 'n8n-nodes-base.stickyNote';
const code = 'n8n-nodes-base.code';

/** Nodes that give on the items that they get; so does each that is deactivated. */
const passesOn = new Set([
	'',
	...['filter', 'if', 'noOp', 'removeDuplicates', 'splitInBatches', 'switch', 'wait'].map(
		(name) => `n8n-nodes-base.${name}`,
	),
]);

/** Nodes whose values a person changes. */
const editable = new Set(['set', 'filter', 'if', 'switch'].map((name) => `n8n-nodes-base.${name}`));

interface Node {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	disabled?: boolean;
	parameters: object;
}

interface File {
	name: string;
	nodes: Node[];
	connections: Record<string, Record<string, ({ node: string }[] | null)[]>>;
	settings: object;
	pinData?: Record<string, { json: IDataObject }[]>;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SANDBOX_CARD = /^ca4d0000-0000-4000-8000-0{10}\d\d$/;

/** All strings in a value. */
function stringsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null
		? Object.values(value).flatMap((each) => stringsIn(each))
		: [];
}

const workflows = globSync('workflows/*.json').map((file) => {
	const parsed = JSON.parse(readFileSync(file, 'utf8')) as File;
	const steps = parsed.nodes.filter(({ type }) => type !== stickyNote);
	return { file: basename(file), ...parsed, steps };
});

describe.each(workflows)('workflows/$file', (workflow) => {
	const { nodes, steps, connections, settings, pinData = {} } = workflow;

	it('holds nothing of anybody’s n8n but the IDs of its nodes', () => {
		const keys = 'credentials|webhookId|instanceId|versionId|meta|tags|active|shared';
		const others = JSON.stringify({ ...workflow, pinData: undefined });
		expect(others.match(new RegExp(`"(${keys})":`, 'g'))).toBeNull();
		expect(workflow).not.toHaveProperty('id');
		// n8n would give the nodes of a file without IDs new ones with each import.
		const ids = nodes.map(({ id }) => id);
		expect(ids.filter((id) => !UUID.test(id))).toEqual([]);
		expect(new Set(ids).size).toBe(nodes.length);
		expect(settings).toEqual({ executionOrder: 'v1' });
	});

	it('has the title that README.md gives it, in its first note, too', () => {
		const picture = `${workflow.file.replace('.json', '')}.png`;
		const sections = readFileSync('workflows/README.md', 'utf8').split('\n### ');
		const title = sections.find((each) => each.includes(picture))?.split('\n')[0];
		expect(workflow.name).toBe(title);
		const notes = stringsIn(nodes.filter(({ type }) => type === stickyNote));
		expect(notes.filter((note) => note.startsWith('## '))).toEqual([
			expect.stringMatching(new RegExp(`^## ${workflow.name}\n`)),
		]);
	});

	it('names the credential that it asks for by what it may do', () => {
		const asked = stringsIn(nodes.filter(({ type }) => type === stickyNote))
			.join('\n')
			.match(/\*Card Platform \((read only|full access)\)\*/g);
		const ours = steps.filter(({ type }) => /\.cardPlatform(Tool|PollingTrigger)?$/.test(type));
		expect(asked === null).toBe(ours.length === 0);
	});

	it('has a made-up sample of what starts it, with a card of the sandbox only', () => {
		const triggers = steps.filter(({ type }) => /\.cardPlatform\w*Trigger$/.test(type));
		expect(Object.keys(pinData).sort()).toEqual(triggers.map((step) => step.name).sort());
		for (const { json: event } of Object.values(pinData).flat()) {
			expect(() => eventSchema.parse(event)).not.toThrow();
			// A bill has no card, and the ID of a card is its own.
			const ids = [event.cardId, event.id].filter(
				(id) => typeof id === 'string' && id.startsWith('ca4d'),
			);
			expect(ids).toEqual('dueDate' in event ? [] : [expect.stringMatching(SANDBOX_CARD)]);
			expect(JSON.stringify(event)).toContain('not a real event');
			expect(event).toHaveProperty('delivery.source');
			expect(event).toHaveProperty('summary');
			// As the trigger outputs it: pinned data skips what makes it readable.
			if ('eventType' in event)
				expect(Object.entries(toReadable(event, false))).toEqual(Object.entries(event));
		}
	});

	it('uses our own nodes in their newest version, and only fields that they have', () => {
		// n8n adds these.
		const added = ['descriptionType', 'toolDescription', 'pollTimes'];
		for (const { type, typeVersion, parameters } of steps) {
			if (!type.startsWith('n8n-nodes-card-platform.')) continue;
			const { description } = knownNodeTypes.getByNameAndVersion(type.replace(/Tool$/, ''));
			expect(typeVersion).toBe(Math.max(...[(description as { version: number }).version].flat()));
			const names = [...added, ...description.properties.map((field) => field.name)];
			expect(Object.keys(parameters).filter((name) => !names.includes(name))).toEqual([]);
		}
	});

	// docs/apps.md: the steps for Slack and Teams of "Alert on declines" can be copied in place of it.
	it('has the message that an email step sends in `text`', () => {
		const emails = steps
			.filter(({ type }) => type === 'n8n-nodes-base.emailSend')
			.map(({ parameters }) => parameters as { text?: string; options?: object })
			.filter(({ text, options = {} }) => text !== undefined && !('attachments' in options));
		expect(emails.filter(({ text }) => text !== '={{ $json.text }}')).toEqual([]);
	});

	it('sends text to Teams, which would be HTML with a link to the workflow, and stops at no time that cannot be read', () => {
		const teams = steps.filter(({ type }) => type === 'n8n-nodes-base.microsoftTeams');
		for (const { parameters } of teams) {
			expect(parameters).toMatchObject({ options: { includeLinkToWorkflow: false } });
		}
		expect(stringsIn(steps).filter((value) => value.includes('.toDateTime('))).toEqual([]);
	});

	it('writes each record once into a spreadsheet of Google or Microsoft, and no formula', () => {
		const id = expect.stringMatching(/^(Transaction|Payment) ID$/) as string;
		const once: Record<string, object> = {
			'n8n-nodes-base.googleSheets': {
				operation: 'appendOrUpdate',
				columns: { mappingMode: 'autoMapInputData', matchingColumns: [id] },
				options: { cellFormat: 'RAW' },
			},
			'n8n-nodes-base.microsoftExcel': {
				...{ operation: 'upsert', dataMode: 'autoMap', columnToMatchOn: id },
			},
		};
		for (const { type, parameters } of steps) expect(parameters).toMatchObject(once[type] ?? {});
	});

	it('can tell by email what it tells, and needs no other messenger', () => {
		const messengers = steps.filter(({ type }) => /slack|Teams/.test(type));
		expect(messengers.filter(({ disabled }) => disabled !== true)).toEqual([]);
		const mails = steps.filter(({ type }) => type === 'n8n-nodes-base.emailSend');
		expect(mails.length > 0 || messengers.length === 0).toBe(true);
	});

	it('connects every step', () => {
		const to = Object.values(connections).flatMap((kinds) =>
			Object.values(kinds).flatMap((outputs) => outputs.flatMap((targets) => targets ?? [])),
		);
		const connected = new Set([...Object.keys(connections), ...to.map(({ node }) => node)]);
		expect([...connected].sort()).toEqual(steps.map((step) => step.name).sort());
	});

	it('has conditions and fields without nested JavaScript', () => {
		const expressions = nodes
			.filter(({ type }) => editable.has(type))
			.flatMap(({ parameters }) => stringsIn(parameters))
			.filter((value) => value.startsWith('='));
		expect(expressions.filter((value) => /=>|\|\||&&|\? |function/.test(value))).toEqual([]);
	});

	it('reads what a Code step made only as $json: with its default settings, n8n 1.123 finds nothing else of it', () => {
		const typeOf = new Map(nodes.map(({ name, type, disabled }) => [name, disabled ? '' : type]));
		const before = (name: string) =>
			Object.keys(connections).filter((from) =>
				Object.values(connections[from] ?? {}).some((outputs) =>
					outputs.flatMap((targets) => targets ?? []).some(({ node }) => node === name),
				),
			);
		const isOfCode = (name: string, seen: readonly string[] = []): boolean => {
			const type = typeOf.get(name) ?? '';
			if (type === code || seen.includes(name)) return type === code;
			return passesOn.has(type) && before(name).some((from) => isOfCode(from, [...seen, name]));
		};
		const read = steps
			.filter(({ type }) => type !== code)
			.flatMap(({ name, parameters }) =>
				stringsIn(parameters).flatMap((text) => [
					...[...text.matchAll(/\$\('([^']+)'\)/g)].map(([, step = '']) => step),
					...(text.includes('$input.') ? before(name) : []),
				]),
			);
		expect(read.filter((name) => isOfCode(name))).toEqual([]);
	});
});

// After a time limit, it would pass on what the model approved itself.
test('the agent that asks first waits without a time limit', () => {
	const { nodes = [] } = workflows.find(({ file }) => file === 'agent-that-asks-first.json') ?? {};
	const asking = nodes.filter(({ type }) => type.endsWith('.chatHitlTool'));
	expect(asking.map(({ name }) => name)).toEqual(['Ask before freezing', 'Ask before unfreezing']);
	expect(JSON.stringify(asking)).not.toContain('limitWaitTime');
});
