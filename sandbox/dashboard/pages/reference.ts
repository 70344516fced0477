import { Hono } from 'hono';
import { html } from 'hono/html';

import type { ControlEnv } from '../../http/guard.ts';
import type { Services } from '../../services.ts';
import type { Html } from '../layout.ts';
import { securityPolicy } from '../securityPolicy.ts';

/**
 * The only inline styles that Redoc needs, by their hashes: an empty style element, which it fills by
 * script, and the one of its scrollbars.
 */
const REDOC_STYLES = [
	"'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
	"'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='",
];

/** The API reference: openapi.yaml, rendered in the browser by Redoc. */
export function referencePage({ clock, faults }: Services): Hono<ControlEnv> {
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) => {
		c.header('content-security-policy', securityPolicy(["'self'", ...REDOC_STYLES].join(' ')));
		return c.html(pageWith(clock.adjusted() || faults.active().length > 0));
	});

	return routes;
}

const pageWith = (isChanged: boolean): Html =>
	html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>API reference · Card Platform sandbox</title>
				<link rel="icon" type="image/svg+xml" href="/dashboard/assets/icon.svg" />
				<link rel="stylesheet" href="/dashboard/assets/reference.css" />
				<script defer src="/dashboard/assets/redoc.js"></script>
				<script type="module" src="/dashboard/assets/reference.js"></script>
			</head>
			<body>
				<nav aria-label="Dashboard">
					<a href="/dashboard/api">
						<img src="/dashboard/assets/icon.svg" alt="" width="24" height="24" />
						Card Platform Sandbox
					</a>
					<a href="/dashboard/api">Dashboard</a>
					<a href="/sandbox/openapi.yaml">openapi.yaml</a>
					<a href="/sandbox/openapi.json">openapi.json</a>
					${
						isChanged
							? html`<a class="changed" href="/dashboard/controls">Clock moved or faults active</a>`
							: ''
					}
				</nav>
				<main id="redoc"></main>
			</body>
		</html>`;
