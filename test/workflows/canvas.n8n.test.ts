import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { n8nIsSince } from '../../dev/harness/n8n/version.ts';
import { readWorkflow } from '../../dev/harness/n8n/workflow.ts';
import { n8nFolder, workflowsFolder } from '../../dev/harness/tools/paths.ts';
import { useEditorEnvironment } from '../support/n8n/editor.ts';

jest.setTimeout(300_000);

/** At less, people have to zoom in to read a note, in a window of 1440 × 900. */
const READABLE_ZOOM = 0.7;

/**
 * Measures an open workflow as the editor shows it, in the units of its canvas: gives the zoom at which it opened, and
 * what lies on something else. Ran in the page.
 */
const MEASURE = `(() => {
	const pane = document.querySelector('.vue-flow__transformationpane');
	const zoom = Number(/scale\\(([\\d.]+)\\)/.exec(pane.style.transform)[1]);
	const SLACK = 1;
	const part = (name, { left, top, right, bottom }) =>
		({ name, left: left / zoom, top: top / zoom, right: right / zoom, bottom: bottom / zoom });
	// The editor shortens a long text, and ends it with "…".
	const text = (name, element) => {
		const range = document.createRange();
		range.selectNodeContents(element);
		const [shown, box] = [range, element].map((each) => each.getBoundingClientRect());
		const [left, right] = [Math.max(shown.left, box.left), Math.min(shown.right, box.right)];
		return part(name, { left, right, top: shown.top, bottom: shown.bottom });
	};
	const around = (name, parts) => ({
		name,
		left: Math.min(...parts.map(({ left }) => left)),
		top: Math.min(...parts.map(({ top }) => top)),
		right: Math.max(...parts.map(({ right }) => right)),
		bottom: Math.max(...parts.map(({ bottom }) => bottom)),
	});
	const meet = (a, b) => a.left < b.right - SLACK && b.left < a.right - SLACK &&
		a.top < b.bottom - SLACK && b.top < a.bottom - SLACK;
	const holds = (a, b) => a.left <= b.left + SLACK && b.right <= a.right + SLACK &&
		a.top <= b.top + SLACK && b.bottom <= a.bottom + SLACK;

	const all = [...document.querySelectorAll('.vue-flow__node')].map((element) => {
		const { nodeName, nodeType } = element.querySelector('[data-node-name]').dataset;
		const isNote = nodeType === 'n8n-nodes-base.stickyNote';
		const lines = element.querySelectorAll(isNote ? 'h2,h3,p,li' : '[class*=_description_] > *');
		const texts = [...lines]
			.filter(({ textContent }) => textContent.trim() !== '')
			.map((line) => text(nodeName + ' label', line));
		const box = part(nodeName, element.getBoundingClientRect());
		return isNote ? { box, text: around(nodeName + ' text', texts) } : { parts: [box, ...texts] };
	});
	const notes = all.filter(({ parts }) => parts === undefined);
	const steps = all.flatMap(({ parts }) => (parts === undefined ? [] : [parts]));
	const found = [];
	const report = (a, what, b) => found.push(a.name + ' ' + what + ' ' + b.name);
	steps.forEach((one, index) => {
		for (const other of steps.slice(index + 1))
			for (const a of one) for (const b of other) if (meet(a, b)) report(a, 'lies on', b);
		if (!notes.some(({ box }) => holds(box, one[0]))) report(one[0], 'is explained in', { name: 'no note' });
	});
	notes.forEach(({ box, text }, index) => {
		if (!holds(box, text)) report(text, 'does not fit in', box);
		for (const each of steps.flat()) {
			if (meet(text, each)) report(each, 'lies on', text);
			if (meet(box, each) && !holds(box, each)) report(box, 'cuts', each);
		}
		for (const { box: other } of notes.slice(index + 1))
			if (meet(box, other) && !holds(box, other) && !holds(other, box)) report(box, 'cuts', other);
	});
	return { zoom, found, nodes: all.length };
})()`;

/** The versions of n8n's own nodes, by their types. */
function knownVersions(): Map<string, number[]> {
	const known = new Map<string, number[]>();
	for (const name of ['n8n-nodes-base', '@n8n/n8n-nodes-langchain']) {
		const file = join(n8nFolder, 'node_modules', name, 'dist', 'types', 'nodes.json');
		const types = JSON.parse(readFileSync(file, 'utf8')) as {
			name: string;
			version: number | number[];
		}[];
		for (const { name: type, version } of types) {
			const key = `${name}.${type}`;
			known.set(key, [...(known.get(key) ?? []), version].flat());
		}
	}
	// n8n makes the step that asks a person from the step that sends to the chat.
	const chat = known.get('@n8n/n8n-nodes-langchain.chat') ?? [];
	return known.set('@n8n/n8n-nodes-langchain.chatHitlTool', chat);
}

interface Measured {
	zoom: number;
	found: string[];
	nodes: number;
}

const environment = useEditorEnvironment();

const files = readdirSync(workflowsFolder).filter(
	// n8n 1 has no human review of tool calls.
	(file) => file.endsWith('.json') && (n8nIsSince('2') || file !== 'agent-that-asks-first.json'),
);

test.each(files)('%s opens readable, and nothing lies on anything else', async (file) => {
	const { editor } = environment();
	const workflow = await readWorkflow(join(workflowsFolder, file));
	const { page } = await editor.page(`/workflow/${await editor.n8n.addWorkflow(workflow)}`);
	const nodes = page.locator('.vue-flow__node');
	await nodes.nth(workflow.nodes.length - 1).waitFor();
	// The editor fits the workflow in its window once it knows the sizes of the nodes, and then shows them.
	await page.waitForFunction(`getComputedStyle(document.querySelector('.vue-flow__node')).visibility === 'visible' &&
		document.querySelector('.vue-flow__transformationpane').style.transform.includes('scale')`);
	await page.waitForFunction(`document.getAnimations().every(({ playState, effect }) =>
		playState !== 'running' || effect.getComputedTiming().iterations === Infinity)`);
	const { zoom, found, nodes: count } = await page.evaluate<Measured>(MEASURE);
	await page.close();
	expect(count).toBe(workflow.nodes.length);
	expect(found).toEqual([]);
	expect(zoom).toBeGreaterThanOrEqual(READABLE_ZOOM);
});

let known: Map<string, number[]>;
beforeAll(() => {
	known = knownVersions();
});

test.each(files)('%s consists of steps that this n8n knows, in their versions', async (file) => {
	const { nodes } = await readWorkflow(join(workflowsFolder, file));
	const unknown = nodes.filter(
		({ type, typeVersion }) =>
			!type.startsWith('n8n-nodes-card-platform.') &&
			!known.get(type)?.includes(Number(typeVersion)),
	);
	expect(unknown).toEqual([]);
});
