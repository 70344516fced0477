import { existsSync, readFileSync } from 'node:fs';

import { html } from 'hono/html';

import { notFound } from '../../http/errors.ts';
import { ROOT } from '../../root.ts';
import * as ui from '../ui.ts';

const PATH = '/dashboard/workflows';

/** Where the files are: in a folder of the built package, or in those of the repository. */
const FOLDERS = ['workflows/', '../workflows/', '../docs/images/'];

const CONTENT_TYPES: Record<string, string> = {
	json: 'application/json',
	png: 'image/png',
	csv: 'text/csv',
};

/** Reads a file of the workflows; undefined for any other name. */
function readFile(name: string): Buffer<ArrayBuffer> | undefined {
	const places = FOLDERS.map((folder) => new URL(folder + name, ROOT));
	const found = /^[\w-]+\.\w+$/i.test(name) && places.find((place) => existsSync(place));
	return found ? readFileSync(found) : undefined;
}

/** A section of the README beside the workflows: its title, the name of its picture and file, and its first sentence. */
const SECTION = /^### (.+)\n+!\[.*\]\(\S*?([\w-]+)\.png\)\n+(.+?[.?!])(?: .*)?$/gm;

/** A row of the index, which has the file in a cell before the last one. */
const ROW = /^\| \[.+\/([\w-]+)\.json\) \|.*$/gm;

/** The index of the README: of each file, its cells by the names of the columns. */
function readIndex(readme: string): Map<string, Map<string, string>> {
	const cellsOf = (row: string) => row.slice(2, -2).split(' | ');
	const columns = cellsOf(/^\| Workflow .*$/m.exec(readme)?.[0] ?? '');
	const toRow = (row: string) =>
		new Map(cellsOf(row).map((cell, index) => [columns[index] ?? '', cell]));
	return new Map([...readme.matchAll(ROW)].map(([row, name = '']) => [name, toRow(row)]));
}

/** What of the index a person wants to know before copying a workflow. */
const SHOWN = ['Starts with', 'Settings', 'Needs enabled', 'Read Only', 'Also needs'];

/** A sentence without its marks; a link to a file beside the workflows stays one. */
const plain = (markdown: string): ui.Html =>
	html`${markdown
		.replaceAll(/[*`]/g, '')
		.split(/(\[.+?\]\(.+?\))/)
		.map((part) => {
			const [, label = part, url = ''] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
			return /^[\w-]+\.csv$/.test(url)
				? html`<a class="text-decoration-underline" href="${PATH}/${url}" download>${label}</a>`
				: label;
		})}`;

/** The ready-made workflows: each to copy, to download, and to import from an address of this sandbox. */
export function addWorkflows(pages: ui.Pages): void {
	pages.get('/workflows', (c) => {
		const origin = new URL(c.req.url).origin + PATH;
		const readme = readFile('README.md')?.toString() ?? '';
		const index = readIndex(readme);
		const toPanel = ([, title = '', name = '', sentence = '']: RegExpMatchArray) => {
			const file = `${name}.json`;
			const cellOf = (column: string) => index.get(name)?.get(column)?.replace('–', '') ?? '';
			const entries = SHOWN.map((column): ui.Fact => {
				const cell = cellOf(column);
				return [column, cell !== '' && plain(cell)];
			});
			return ui.panel(
				file,
				title,
				html`<a href="${PATH}/${name}.png" target="_blank">
						<img
							class="canvas w-100 rounded object-fit-contain"
							height="200"
							src="${PATH}/${name}.png"
							alt="Steps of ${title}"
							loading="lazy"
						/>
					</a>
					<p class="my-2">${plain(sentence)}</p>
					${ui.facts(entries)}
					${ui.actions(
						copyButton('Copy JSON', title, html`data-copy-from="${PATH}/${file}"`),
						copyButton('Copy URL', title, html`data-copy="${origin}/${file}"`),
						html`<a
							class="btn btn-sm"
							href="${PATH}/${file}"
							download
							aria-label="Download ${title}"
							>Download</a
						>`,
					)}`,
			);
		};
		const groups = readme.split(/^## /m).flatMap((group) => {
			const panels = [...group.matchAll(SECTION)].map(toPanel);
			const heading = html`<h2 class="h4 w-100">${group.split('\n')[0]}</h2>`;
			return panels.length === 0
				? []
				: html`${heading}
						<div class="columns">${panels}</div>`;
		});
		return c.render(
			html`${ui.muted(HOW)}
				<input
					class="form-control mb-3"
					type="search"
					placeholder="Search"
					aria-label="Search workflows"
					data-filter="#workflows section"
				/>
				<div id="workflows">${groups}</div>`,
			'Workflows',
			{ isStatic: true },
		);
	});

	pages.get('/workflows/:file', (c) => {
		const name = c.req.param('file');
		const contentType = CONTENT_TYPES[name.replace(/.*\./, '')];
		const file = contentType === undefined ? undefined : readFile(name);
		if (!file || contentType === undefined) throw notFound('There is no such file');
		return c.body(file, 200, { 'content-type': contentType });
	});
}

const HOW =
	'To use one, copy its URL or its JSON, open a new workflow in n8n, and press Ctrl+V (on a Mac ⌘V).';

const copyButton = (label: string, title: string, attributes: ui.Html): ui.Html =>
	html`<button type="button" class="btn btn-sm" aria-label="${label} of ${title}" ${attributes}>
		${label}
	</button>`;
