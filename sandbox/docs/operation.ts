import { html } from 'hono/html';
import type { Operation, PlacedOperation } from './document.ts';
import { exampleOf } from './example.ts';
import { assumption, blocks, inline, type Html } from './markdown.ts';
import { exampleJson, rowsTable, typeName, type ObjectSections } from './objects.ts';

/** Shows an operation, or the request of a webhook; `baseUrl` comes before its path. */
export const operationArticle = (
	{ method, path, operation }: PlacedOperation,
	sections: ObjectSections,
	baseUrl: string,
): Html =>
	html`<article id="${operation.operationId}">
		<h3>${operation.summary}</h3>
		<p class="docs-endpoint">
			<span class="docs-method docs-${method.toLowerCase()}">${method}</span> <code>${path}</code>
		</p>
		${blocks(operation.description ?? '')} ${assumption(operation['x-assumption'])}
		${
			operation.parameters.length > 0
				? rowsTable(
						'Parameters',
						operation.parameters.map(({ in: place, ...parameter }) => ({ ...parameter, place })),
						sections,
					)
				: ''
		}
		${requestBody(operation, sections)} ${responses(operation, sections)}
		${operation.security ? '' : html`<h4>Try it</h4>`}
		${operation.security ? '' : curl(method, `${baseUrl}${path}`, operation)}
	</article>`;

function requestBody({ requestBody: body }: Operation, sections: ObjectSections): Html {
	if (!body) return html``;
	const { schema } = body.content['application/json'];
	return html`<h4>Body: ${typeName(schema, sections)}</h4>
		${exampleJson(schema)}`;
}

const responses = (operation: Operation, sections: ObjectSections): Html =>
	html`<div class="docs-table">
		<table>
			<caption>
				Answers
			</caption>
			<tbody>
				${Object.entries(operation.responses).map(([status, { description, content }]) => {
					const schema = content?.['application/json'].schema;
					const code = schema?.properties?.code?.const;
					return html`<tr>
						<th scope="row"><code>${status}</code></th>
						<td>${inline(description)}</td>
						<td>
							${
								typeof code !== 'string'
									? schema && typeName(schema, sections)
									: html`<code>${code}</code>`
							}
						</td>
					</tr>`;
				})}
			</tbody>
		</table>
	</div>`;

/** Shows the operation as a command that can be pasted into a terminal. */
function curl(method: string, url: string, { parameters, requestBody: body }: Operation): Html {
	const valueOf = (name: string) => {
		const found = parameters.find((parameter) => parameter.name === name);
		return encodeURIComponent(String(found ? exampleOf(found.schema) : ''));
	};
	const path = url.replace(/\{([^}]+)\}/g, (_placeholder, name: string) => valueOf(name));
	const asked = parameters.filter((parameter) => parameter.in === 'query');
	// Where none is required, all that they do is narrow a list.
	const query = (asked.some(({ required }) => required) ? asked : [])
		.map(({ name }) => `${name}=${valueOf(name)}`)
		.join('&');
	const lines = [
		`curl -X ${method} '${path}${query === '' ? '' : `?${query}`}'`,
		"-H 'Authorization: Bearer <API_KEY>'",
	];
	if (body) {
		const example = exampleOf(body.content['application/json'].schema);
		lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(example)}'`);
	}
	return html`<pre tabindex="0"><code>${lines.join(' \\\n  ')}</code></pre>`;
}
