import { globSync } from 'node:fs';

import ts from 'typescript';

/** A text that a person may see, and where the code makes it. */
export interface Message {
	/** With an ellipsis for each part that is only known at run time. */
	text: string;
	/** File and line. */
	place: string;
}

/** Stands for words that come from outside, such as those of the API. */
const FOREIGN = Symbol('foreign');

type Found = string | typeof FOREIGN;

/**
 * Collects every text that the shipped code can show or log as a message: what a `UserError` or one
 * of n8n's errors is made with, what stands under `message` or `ignored` in an object, and what is logged.
 *
 * @throws Error where such a place holds something that cannot be traced back to its texts
 */
export function collectMessages(): Message[] {
	const files = globSync('{nodes,credentials}/**/*.ts');
	const options = {
		module: ts.ModuleKind.NodeNext,
		strict: true,
		skipLibCheck: true,
		noEmit: true,
	};
	const program = ts.createProgram(files, { ...options, target: ts.ScriptTarget.ES2022 });
	const checker = program.getTypeChecker();
	return files.flatMap((file) => {
		const source = program.getSourceFile(file);
		if (source === undefined) throw new Error(`${file} is not part of the program`);
		const places = placesIn(source).filter((place) => isText(checker.getTypeAtLocation(place)));
		return places.flatMap((expression) => {
			const { line } = source.getLineAndCharacterOfPosition(expression.getStart());
			const place = `${file}:${line + 1}`;
			return textsOf(expression, checker, place)
				.filter((text) => typeof text === 'string')
				.map((text) => ({ text, place }));
		});
	});
}

/** A schema may have a field called message too. */
const isText = (type: ts.Type): boolean =>
	type.isUnion() ? type.types.some(isText) : (type.flags & ts.TypeFlags.StringLike) !== 0;

/** The expressions in a file that become a message. */
function placesIn(source: ts.SourceFile): ts.Expression[] {
	const places: (ts.Expression | undefined)[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isNewExpression(node)) {
			const name = node.expression.getText();
			if (name === 'NodeOperationError') places.push(node.arguments?.[1]);
			// The second argument of an API error is an object, whose message is found as such.
			else if (/(?<!Api)Error$/.test(name)) places.push(node.arguments?.[0]);
		}
		if (
			ts.isPropertyAssignment(node) &&
			['message', 'ignored', 'errorMessage'].includes(node.name.getText())
		) {
			places.push(node.initializer);
		}
		if (ts.isShorthandPropertyAssignment(node) && node.name.text === 'message') {
			places.push(node.name);
		}
		if (ts.isCallExpression(node) && /\blogger\.\w+$/.test(node.expression.getText())) {
			places.push(node.arguments[0]);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return places.filter((place) => place !== undefined);
}

function textsOf(node: ts.Expression, checker: ts.TypeChecker, place: string): Found[] {
	const follow = (next: ts.Expression) => textsOf(next, checker, place);
	if (ts.isIdentifier(node) && node.text === 'undefined') return [];
	if (ts.isStringLiteralLike(node)) return [node.text];
	if (ts.isTemplateExpression(node)) {
		return [node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')];
	}
	if (ts.isConditionalExpression(node))
		return [...follow(node.whenTrue), ...follow(node.whenFalse)];
	// The words of an error, or of the API's answer.
	if (ts.isPropertyAccessExpression(node) && node.name.text === 'message') return [FOREIGN];

	const type = checker.getTypeAtLocation(node);
	const parts = type.isUnion() ? type.types : [type];
	if (parts.every((part) => part.isStringLiteral())) return parts.map(({ value }) => value);

	if (ts.isCallExpression(node)) {
		const results = returnsOf(node, checker);
		if (results.length > 0) return results.flatMap(follow);
	}
	if (ts.isIdentifier(node)) return declaredTexts(node, checker, place);
	throw new Error(`${place}: cannot tell which messages ${node.getText()} stands for`);
}

function declaredTexts(node: ts.Identifier, checker: ts.TypeChecker, place: string): Found[] {
	const symbol = ts.isShorthandPropertyAssignment(node.parent)
		? checker.getShorthandAssignmentValueSymbol(node.parent)
		: checker.getSymbolAtLocation(node);
	const declaration = symbol?.valueDeclaration;
	if (
		declaration !== undefined &&
		ts.isVariableDeclaration(declaration) &&
		declaration.initializer
	) {
		return textsOf(declaration.initializer, checker, place);
	}
	// Taken out of an object: where that was made, its message has been found.
	if (declaration !== undefined && ts.isBindingElement(declaration)) return [FOREIGN];
	throw new Error(`${place}: cannot tell where ${node.text} comes from`);
}

/** What the function that is called gives back. */
function returnsOf(call: ts.CallExpression, checker: ts.TypeChecker): ts.Expression[] {
	const declaration = checker.getResolvedSignature(call)?.getDeclaration();
	const body = declaration !== undefined && 'body' in declaration ? declaration.body : undefined;
	if (body === undefined) return [];
	if (!ts.isBlock(body)) return [body];
	const results: ts.Expression[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isFunctionLike(node)) return;
		if (ts.isReturnStatement(node) && node.expression) results.push(node.expression);
		ts.forEachChild(node, visit);
	};
	visit(body);
	return results;
}
