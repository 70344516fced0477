import { html } from 'hono/html';

/** A piece of HTML in which everything inserted is escaped. */
export type Html = ReturnType<typeof html>;

/** Turns a line of a description into HTML: `code` and **strong** words. */
export const inline = (text: string): Html[] =>
	text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
		if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
		if (part.startsWith('**')) return html`<strong>${part.slice(2, -2)}</strong>`;
		return html`${part}`;
	});

/** Turns a description of openapi.yaml into HTML: paragraphs and tables, as far as it uses Markdown. */
export const blocks = (text: string): Html[] =>
	text
		.trim()
		.split(/\n\s*\n/)
		.map((block) => (block.startsWith('|') ? table(block) : html`<p>${inline(block)}</p>`));

function table(block: string): Html {
	const [head = [], , ...rows] = block
		.split('\n')
		.map((line) => line.split('|').slice(1, -1))
		.map((cells) => cells.map((cell) => cell.trim()));
	return html`<div class="docs-table">
		<table>
			<thead>
				<tr>
					${head.map((cell) => html`<th scope="col">${inline(cell)}</th>`)}
				</tr>
			</thead>
			<tbody>
				${rows.map(
					(cells) =>
						html`<tr>
							${cells.map((cell) => html`<td>${inline(cell)}</td>`)}
						</tr>`,
				)}
			</tbody>
		</table>
	</div>`;
}

/** Shows what public-api.md leaves open, where something is assumed. */
export const assumption = (text: string | undefined): Html =>
	text === undefined
		? html``
		: html`<p class="docs-assumption"><strong>Assumption.</strong> ${inline(text)}</p>`;
