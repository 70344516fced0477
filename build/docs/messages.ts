import { globSync, readFileSync } from 'node:fs';

import ts from 'typescript';

import { RESPONSES } from '../../nodes/CardPlatform/webhook/responses.ts';

/** What the shipped code can show or log; an ellipsis stands for each part that is only known at run time. */
export interface Message {
	text: string;
	/** What it tells a person to do, as far as that stands beside it; several variants have several. */
	hints: string[];
	file: string;
}

/** How a property is called that holds a message, and one that says what to do. */
const NAMES = { message: /^(message|errorMessage|ignored)$/, hint: /^(hint|description)$/ };

/**
 * Collects every message: what one of our or n8n's errors is made with, what stands under `message` or
 * `ignored` in an object, and what is logged. Without the reasons of the webhook's responses.
 *
 * @throws Error where such a place holds neither a string nor what was found elsewhere
 */
export function collectMessages(): Message[] {
	const byText = new Map<string, Message>();
	for (const path of globSync('{nodes,credentials}/**/*.ts')) {
		const file = path.replaceAll('\\', '/');
		const source = readFileSync(path, 'utf8');
		const found = messagesIn(ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true));
		for (const { text, hints } of found) {
			const same = byText.get(text) ?? { text, hints: [], file };
			byText.set(text, { ...same, hints: [...new Set([...same.hints, ...hints])] });
		}
	}
	return [...byText.values()].filter(({ text }) => !Object.hasOwn(RESPONSES, text));
}

function messagesIn(node: ts.Node): Pick<Message, 'text' | 'hints'>[] {
	const { message, hint } = placeOf(node) ?? {};
	const hints = hint ? stringsOf(hint, () => []) : [];
	const texts = message ? stringsOf(message, foundElsewhere) : [];
	const inside = texts.map((text) => ({ text, hints }));
	node.forEachChild((child) => void inside.push(...messagesIn(child)));
	return inside;
}

/** The expressions that become a message and its hint here, if any. */
function placeOf(node: ts.Node): { message?: ts.Expression; hint?: ts.Expression } | undefined {
	if (ts.isNewExpression(node)) {
		const [first, second] = node.arguments ?? [];
		const name = node.expression.getText();
		if (name === 'NodeOperationError') return { message: second };
		if (name === 'UserError') return { message: first, hint: second };
		// The second argument of an API error is an object, whose message is found as such.
		return /(?<!Api)Error$/.test(name) ? { message: first } : undefined;
	}
	if (ts.isPropertyAssignment(node) && NAMES.message.test(node.name.getText())) {
		const siblings = node.parent.properties.filter(ts.isPropertyAssignment);
		const hint = siblings.find((each) => NAMES.hint.test(each.name.getText()));
		return { message: node.initializer, hint: hint?.initializer };
	}
	if (ts.isShorthandPropertyAssignment(node) && NAMES.message.test(node.name.text))
		return { message: node.name };
	if (ts.isCallExpression(node) && /\blogger\.\w+$/.test(node.expression.getText()))
		return { message: node.arguments[0] };
	return undefined;
}

/** The strings that an expression can be; `other` gives those of a part that is none. */
function stringsOf(node: ts.Expression, other: (part: ts.Expression) => string[]): string[] {
	if (ts.isStringLiteralLike(node)) return [node.text];
	if (ts.isTemplateExpression(node)) {
		return [node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')];
	}
	if (ts.isConditionalExpression(node))
		return [node.whenTrue, node.whenFalse].flatMap((each) => stringsOf(each, other));
	const variable = ts.isIdentifier(node) ? variableIn(node.getSourceFile(), node.text) : undefined;
	return variable ? stringsOf(variable, other) : other(node);
}

/** A message that is no string here was found where that was made; a schema has none, nor has an object. */
function foundElsewhere(node: ts.Expression): string[] {
	if (ts.isObjectLiteralExpression(node) || /(^|\.)(message|reason)$|^z\./.test(node.getText()))
		return [];
	const { fileName, text } = node.getSourceFile();
	const line = text.slice(0, node.getStart()).split('\n').length;
	throw new Error(`${fileName}:${line}: cannot tell which messages ${node.getText()} stands for`);
}

/** What a variable of this name is set to. */
const variableIn = (node: ts.Node, name: string): ts.Expression | undefined =>
	ts.isVariableDeclaration(node) && node.name.getText() === name
		? node.initializer
		: node.forEachChild((child) => variableIn(child, name));
