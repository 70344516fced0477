import { html } from 'hono/html';
import { exampleOf } from './example.ts';
import { assumption, inline, type Html } from './markdown.ts';
import type { Schema } from './schema.ts';

/** The schemas that have a section of their own, by title. */
export type ObjectSections = ReadonlyMap<string, Schema>;

/** Collects the objects of schemas and of what is in them, in their order. */
export function collectObjects(schemas: Schema[]): ObjectSections {
	const found = new Map<string, Schema>();
	const visit = (schema: Schema): void => {
		if (schema.title !== undefined) found.set(schema.title, schema);
		for (const field of Object.values(schema.properties ?? {})) visit(field);
		if (schema.items) visit(schema.items);
		schema.oneOf?.forEach(visit);
	};
	schemas.forEach(visit);
	return found;
}

const anchor = (title: string): string => `object-${title.toLowerCase().replaceAll(' ', '-')}`;

/** Names the type of a schema, with a link where it is an object that has a section. */
export function typeName(schema: Schema, sections: ObjectSections): Html {
	const { title, oneOf, items, type = '', format } = schema;
	if (title !== undefined && sections.has(title)) {
		return html`<a href="#${anchor(title)}">${title}</a>`;
	}
	if (oneOf) {
		return html`${oneOf.map((each, i) => html`${i > 0 ? ' or ' : ''}${typeName(each, sections)}`)}`;
	}
	if (items) return html`array of ${typeName(items, sections)}`;
	return html`${format ?? type}`;
}

const quoted = (values: unknown[]): Html[] =>
	values.map((value, i) => html`${i > 0 ? ', ' : ''}<code>${String(value)}</code>`);

const range = (what: string, low: number | undefined, high: number | undefined): Html[] => [
	...(low === undefined ? [] : [html`<span>${what} at least ${low}. </span>`]),
	...(high === undefined ? [] : [html`<span>${what} at most ${high}. </span>`]),
];

/** Says what a schema allows beyond its type. */
function constraints({ items, ...schema }: Schema): Html {
	const values = schema.enum ?? items?.enum ?? (schema.const === undefined ? [] : [schema.const]);
	return html`${values.length > 0 ? html`<span>One of ${quoted(values)}. </span>` : ''}
	${range('Value', schema.minimum, schema.maximum)}
	${range('Length', schema.minLength, schema.maxLength)}
	${range('Items', undefined, schema.maxItems)} ${range('Fields', schema.minProperties, undefined)}
	${schema.pattern === undefined ? '' : html`<span>Form ${quoted([schema.pattern])}. </span>`}
	${schema.default === undefined ? '' : html`<span>Default ${quoted([schema.default])}. </span>`}
	${schema.examples ? html`<span>Example ${quoted(schema.examples)}. </span>` : ''}`;
}

/** A row of a table of fields or parameters. */
export interface Row {
	name: string;
	/** Where a parameter is. */
	place?: string;
	required: boolean;
	description: string | undefined;
	schema: Schema;
}

/** Shows fields or parameters. */
export const rowsTable = (caption: string, rows: Row[], sections: ObjectSections): Html =>
	html`<div class="docs-table">
		<table>
			<caption>
				${caption}
			</caption>
			<tbody>
				${rows.map(
					({ name, place, required, description = '', schema }) =>
						html`<tr>
							<th scope="row">
								<code>${name}</code>
								${schema.deprecated ? html`<small>deprecated</small>` : ''}
							</th>
							<td>
								${typeName(schema, sections)}
								<small>${place ?? ''} ${required ? 'required' : 'optional'}</small>
							</td>
							<td>
								${inline(description)} <small>${constraints(schema)}</small>
								${assumption(schema['x-assumption'])}
							</td>
						</tr>`,
				)}
			</tbody>
		</table>
	</div>`;

/** Shows an example of a schema, as JSON. */
export const exampleJson = (schema: Schema): Html =>
	html`<pre tabindex="0"><code>${JSON.stringify(exampleOf(schema), null, 2)}</code></pre>`;

/** Shows all objects: their fields, and an example of each. */
export const objectSections = (sections: ObjectSections): Html =>
	html`${[...sections].map(
		([title, schema]) =>
			html`<article id="${anchor(title)}">
				<h3>${title}</h3>
				${assumption(schema['x-assumption'])}
				${rowsTable(
					'Fields',
					Object.entries(schema.properties ?? {}).map(([name, field]) => ({
						name,
						required: schema.required?.includes(name) ?? false,
						description: field.description,
						schema: field,
					})),
					sections,
				)}
				${exampleJson(schema)}
			</article>`,
	)}`;
