import { globSync, readFileSync } from 'node:fs';

import ts from 'typescript';

import { RESPONSES } from '../../nodes/CardPlatform/webhook/responses';

/** How a property is called that holds a message. */
const NAME = /^(message|errorMessage|ignored)$/;

/**
 * Collects every string that the shipped code can show or log as a message, with an ellipsis for each
 * part that is only known at run time: what one of our or n8n's errors is made with, what stands under
 * `message` or `ignored` in an object, what is logged, and the reasons of the webhook's responses.
 *
 * @throws Error where such a place holds neither a string nor what was found elsewhere
 */
export function collectMessages(): string[] {
	const messages = globSync('{nodes,credentials}/**/*.ts').flatMap((file) => {
		const source = readFileSync(file, 'utf8');
		return messagesIn(ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true));
	});
	return [...new Set([...Object.keys(RESPONSES), ...messages])];
}

function messagesIn(node: ts.Node): string[] {
	const place = placeOf(node);
	const inside: string[] = place ? stringsOf(place) : [];
	node.forEachChild((child) => void inside.push(...messagesIn(child)));
	return inside;
}

/** The expression that becomes a message here, if any. */
function placeOf(node: ts.Node): ts.Expression | undefined {
	if (ts.isNewExpression(node)) {
		const name = node.expression.getText();
		if (name === 'NodeOperationError') return node.arguments?.[1];
		// The second argument of an API error is an object, whose message is found as such.
		return /(?<!Api)Error$/.test(name) ? node.arguments?.[0] : undefined;
	}
	if (ts.isPropertyAssignment(node) && NAME.test(node.name.getText())) return node.initializer;
	if (ts.isShorthandPropertyAssignment(node) && NAME.test(node.name.text)) return node.name;
	if (ts.isCallExpression(node) && /\blogger\.\w+$/.test(node.expression.getText()))
		return node.arguments[0];
	return undefined;
}

function stringsOf(node: ts.Expression): string[] {
	if (ts.isStringLiteralLike(node)) return [node.text];
	if (ts.isTemplateExpression(node)) {
		return [node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')];
	}
	if (ts.isConditionalExpression(node))
		return [...stringsOf(node.whenTrue), ...stringsOf(node.whenFalse)];
	const variable = ts.isIdentifier(node) ? variableIn(node.getSourceFile(), node.text) : undefined;
	if (variable) return stringsOf(variable);
	// The string was found where that was made; a schema has none, nor has an object.
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
