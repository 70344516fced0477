import { html } from 'hono/html';
import { listOperations, type ApiDocument } from './document.ts';
import { assumption, blocks, type Html } from './markdown.ts';
import { collectObjects, objectSections } from './objects.ts';
import { operationArticle } from './operation.ts';

/**
 * Gives the API as a page to read: every operation, webhook and object of the document. `origin` is
 * the address of the sandbox. The look is the dashboard's.
 */
export function docsPage(document: ApiDocument, origin: string): Html {
	const { info, tags, components } = document;
	const operations = [...listOperations(document.paths), ...listOperations(document.webhooks)];
	const sections = collectObjects(Object.values(components.schemas));
	const baseUrl = origin + document.servers[0].url;
	const groups = tags.map((tag) => ({
		...tag,
		operations: operations.filter(({ operation }) => operation.tags[0] === tag.name),
	}));

	return html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="color-scheme" content="light dark" />
				<title>${info.title}</title>
				<link rel="icon" type="image/svg+xml" href="/dashboard/assets/icon.svg" />
				<link rel="stylesheet" href="/dashboard/assets/theme.css" />
				<link rel="stylesheet" href="/sandbox/docs/docs.css" />
			</head>
			<body>
				<a class="docs-skip" href="#main">Skip to content</a>
				<nav class="docs-nav" aria-label="API">
					<a href="/dashboard/api">Dashboard</a>
					<a href="#authentication">Authentication</a>
					${groups.map(
						({ name, operations: own }) =>
							html`<h2><a href="#${name}">${name}</a></h2>
								<ul>
									${own.map(
										({ operation }) =>
											html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
									)}
								</ul>`,
					)}
					<a href="#objects">Objects</a>
				</nav>
				<main id="main" tabindex="-1">
					<h1>${info.title} <small>${info.version}</small></h1>
					<p>${info.summary}</p>
					${blocks(info.description)} ${assumption(info['x-assumption'])}
					<p>
						Base URL <code>${baseUrl}</code> ·
						<a href="/sandbox/openapi.json">openapi.json</a> (OpenAPI ${document.openapi})
					</p>
					<section id="authentication">
						<h2>Authentication</h2>
						${blocks(components.securitySchemes.apiKey.description)}
					</section>
					${groups.map(
						({ name, description, operations: own }) =>
							html`<section id="${name}">
								<h2>${name}</h2>
								${blocks(description)}
								${own.map((each) => operationArticle(each, sections, baseUrl))}
							</section>`,
					)}
					<section id="objects">
						<h2>Objects</h2>
						${objectSections(sections)}
					</section>
				</main>
			</body>
		</html>`;
}
