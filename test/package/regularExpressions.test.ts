import { readdirSync, readFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';

import * as luxon from 'luxon';
import * as n8n from 'n8n-workflow';
import ts from 'typescript';
import * as zod from 'zod';

import { readApiConfig } from '../../nodes/CardPlatform/api/config';
import { timeOf } from '../../nodes/CardPlatform/api/event';
import { fold, toDecimal, toDecimalString, toLine } from '../../nodes/CardPlatform/api/values';
import { toReadableAmount } from '../../nodes/CardPlatform/events/summary';
import { errorResponse } from '../../nodes/CardPlatform/transport/errors';
import { parseRetryAfter } from '../../nodes/CardPlatform/transport/retry';

// Text from outside may be long and hostile. An expression that takes quadratic time for it would block all of n8n.

const LENGTH = 200_000;
/** A linear one takes some milliseconds; a quadratic one, 20 000 000 000 steps. */
const TIMEOUT_MS = 2_000;

/** Those that are not linear, and why what they get is short. */
const SHORT: Record<string, string> = {
	'/0+$/': 'the digits of an amount: 40',
	'/\\B(?=(\\d{3})+$)/g': 'a line of a summary: 81 characters',
	'/.* /': 'a topic of Test API, which stands in the code',
	'/\\s*,\\s*/': 'Trigger On of a workflow: its own person writes it',
};

const context = createContext({ run: () => undefined });
const script = new Script('run()');

/** Whether a function ends before its time is over. Unlike a timer, this also ends an expression. */
function ends(run: () => unknown): boolean {
	context.run = run;
	try {
		script.runInContext(context, { timeout: TIMEOUT_MS });
		return true;
	} catch (error) {
		if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
		throw error;
	}
}

/** The expressions of what ships, as they are written. */
function literalsOf(folder: string): string[] {
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	return files
		.filter((file) => file.endsWith('.ts'))
		.flatMap((file) => {
			const text = readFileSync(`${folder}/${file}`, 'utf8');
			const found: string[] = [];
			const visit = (node: ts.Node): void => {
				if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
				ts.forEachChild(node, visit);
			};
			visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
			return found;
		});
}

/** Those that the nodes make of parts when they are loaded. */
function madeOfParts(): string[] {
	const found: string[] = [];
	const { RegExp: original } = globalThis;
	jest.isolateModules(() => {
		// What others make when they are loaded is not ours.
		for (const [name, loaded] of Object.entries({ luxon, 'n8n-workflow': n8n, zod }))
			jest.doMock(name, () => loaded);
		globalThis.RegExp = new Proxy(original, {
			construct(target, [source, flags]: [string, string?]) {
				const made = new target(source, flags);
				found.push(String(made));
				return made;
			},
		});
		for (const entry of ['actions/table', 'events/fields'])
			jest.requireActual(`../../nodes/CardPlatform/${entry}`);
		globalThis.RegExp = original;
	});
	return found;
}

const MADE = madeOfParts();

const EXPRESSIONS = [...new Set([...['nodes', 'credentials'].flatMap(literalsOf), ...MADE])];

const toExpression = (literal: string): RegExp => {
	const end = literal.lastIndexOf('/');
	return new RegExp(literal.slice(1, end), literal.slice(end + 1));
};

/** What is repeated: each kind of character, and pairs that begin what an expression may look for. */
const PARTS = [
	...Array.from('0aA \t/\\.:-+,"_<[…\0\u2028'),
	...[':00', '-00', '.0', ' ,', 'a ', '.v0', '%2', '{{', '$json', 'e+', '_a', ' <', '0,', '#a'],
	// Accents in the wrong order.
	'\u0315\u0300',
	'00:00-00',
];
const HOSTILE = PARTS.flatMap((part) => {
	const long = part.repeat(LENGTH / part.length);
	return [`${long}\n`, `2026${long}!`];
});

test('every regular expression takes linear time, or what it gets is short', () => {
	expect(EXPRESSIONS.length).toBeGreaterThan(70);
	expect(MADE.length).toBeGreaterThan(3);
	const slow = EXPRESSIONS.filter((literal) => {
		const expression = toExpression(literal);
		return !HOSTILE.every((text) => ends(() => text.replace(expression, '')));
	});
	expect(slow.sort()).toEqual(Object.keys(SHORT).sort());
}, 120_000);

const config = readApiConfig({ baseUrl: 'https://a.example/v1', apiKey: 'live/"\\_0123456789abc' });
const request = { method: 'POST', path: '/cards/x/freeze', effect: 'repeatable' } as const;

test.each<[string, (text: string) => unknown]>([
	['the time of a record', (createdAt) => timeOf({ createdAt })],
	['an amount', (amount) => toDecimalString(toDecimal(amount) ?? 0n)],
	['a line of a summary', toLine],
	['a name that is compared', fold],
	['an amount in a summary', toReadableAmount],
	['an error response', (body) => errorResponse({ status: 500, body }, request, config)],
	['the key in a body', (body) => config.redactBody(body)],
	['a Retry-After', (header) => parseRetryAfter(header, 0)],
])('%s takes linear time', (_name, read) => {
	const ofKey = ['live/"\\_0123456789ab'.repeat(10_000), '\\u006'.repeat(40_000)];
	for (const text of [...HOSTILE, ...ofKey, '9'.repeat(10_000_000)])
		expect(ends(() => read(text))).toBe(true);
});
