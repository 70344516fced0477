import { globSync } from 'node:fs';

import ts from 'typescript';

/** What the shipped code can show or log; an ellipsis stands for what is only known at run time. */
export interface Message {
	text: string;
	/** Its hints; undefined if the code does not show all of them. */
	hints: string[] | undefined;
	file: string;
}

/** How a property is called that holds a message, and one that says what to do. */
const NAMES = { message: /^(message|errorMessage)$/, hint: /^(hint|description)$/ };

/**
 * Collects every message: what one of our or n8n's errors is made with, what stands under `message` in an
 * object, and what is logged.
 *
 * @param files paths of the code
 * @throws Error for a message that is neither a string in the code nor one that was made elsewhere
 */
export function collectMessages(files = globSync('{nodes,credentials}/**/*.ts')): Message[] {
	// Without the libraries: their types say nothing about strings.
	const program = ts.createProgram(files, { noLib: true, noResolve: true, types: [] });
	const sources = program.getSourceFiles();
	const stringsOf = findStrings(program.getTypeChecker(), sources);
	const byText = new Map<string, Message>();
	for (const source of sources) {
		const file = source.fileName.replaceAll('\\', '/');
		for (const { message, hint } of descendantsOf(source).flatMap(placesOf)) {
			for (const text of stringsOf(message) ?? madeElsewhere(message)) {
				const hints = hint ? stringsOf(hint) : [];
				const same = byText.get(text) ?? { text, hints: [], file };
				const all = same.hints && hints && [...new Set([...same.hints, ...hints])];
				byText.set(text, { ...same, hints: all });
			}
		}
	}
	return [...byText.values()];
}

const descendantsOf = (node: ts.Node): ts.Node[] => {
	const found: ts.Node[] = [node];
	node.forEachChild((child) => void found.push(...descendantsOf(child)));
	return found;
};

type Property = ts.PropertyAssignment | ts.ShorthandPropertyAssignment;

const isProperty = (node: ts.Node): node is Property =>
	ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node);

const valueOf = (node: Property): ts.Expression =>
	ts.isPropertyAssignment(node) ? node.initializer : node.name;

/** The expressions that become a message and its hint here, if any. */
function placesOf(node: ts.Node): { message: ts.Expression; hint?: ts.Expression | undefined }[] {
	if (ts.isNewExpression(node)) {
		const [first, second] = node.arguments ?? [];
		const name = node.expression.getText();
		if (name === 'NodeOperationError') return second ? [{ message: second }] : [];
		// The second argument of an API error is an object, whose message is found as such.
		if (first === undefined || !/(?<!Api)Error$/.test(name)) return [];
		return [{ message: first, hint: name === 'UserError' ? second : undefined }];
	}
	if (isProperty(node) && NAMES.message.test(node.name.getText())) {
		const siblings = node.parent.properties.filter(isProperty);
		const hint = siblings.find((each) => NAMES.hint.test(each.name.getText()));
		return [{ message: valueOf(node), hint: hint && valueOf(hint) }];
	}
	const isLog = ts.isCallExpression(node) && /\blogger\.\w+$/.test(node.expression.getText());
	const [logged] = isLog ? node.arguments : [];
	return logged ? [{ message: logged }] : [];
}

/** A schema has no message, nor has an object; those that are passed on are collected where they are made. */
function madeElsewhere(node: ts.Expression): [] {
	if (ts.isObjectLiteralExpression(node) || /(^|\.)(message|reason)$|^z\./.test(node.getText()))
		return [];
	const { fileName, text } = node.getSourceFile();
	const line = text.slice(0, node.getStart()).split('\n').length;
	throw new Error(
		`${fileName}:${line}: write the message as one string or template, not as ${node.getText()}`,
	);
}

/** Makes a function that gives the strings that an expression can be; undefined if it cannot tell. */
function findStrings(checker: ts.TypeChecker, sources: readonly ts.SourceFile[]) {
	const calls = sources.flatMap(descendantsOf).filter(ts.isCallExpression);

	function declarationOf(node: ts.Node): ts.Declaration | undefined {
		const symbol = ts.isShorthandPropertyAssignment(node.parent)
			? checker.getShorthandAssignmentValueSymbol(node.parent)
			: checker.getSymbolAtLocation(node);
		const isImported = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
		return (isImported ? checker.getAliasedSymbol(symbol) : symbol)?.declarations?.[0];
	}

	const allOf = (nodes: readonly (ts.Expression | undefined)[]): string[] | undefined => {
		const strings = nodes.map((node) => node && stringsOf(node));
		return nodes.length === 0 || strings.includes(undefined)
			? undefined
			: strings.flatMap((each) => each ?? []);
	};

	function stringsOf(node: ts.Expression): string[] | undefined {
		if (ts.isStringLiteralLike(node)) return [node.text];
		if (ts.isTemplateExpression(node)) {
			const parts = node.templateSpans.map(({ literal }) => `…${literal.text}`);
			return [(node.head.text + parts.join('')).replace(/…+/g, '…')];
		}
		if (ts.isConditionalExpression(node)) {
			// What is passed on from where it was made has its place there.
			const branches = [node.whenTrue, node.whenFalse].filter(
				(each) => !each.getText().endsWith('.message'),
			);
			return allOf(branches);
		}
		if (ts.isIdentifier(node)) return stringsOfDeclaration(declarationOf(node));
		if (!ts.isCallExpression(node)) return undefined;
		const called = declarationOf(node.expression);
		return called && allOf(returnedBy(functionOf(called)));
	}

	function stringsOfDeclaration(declaration: ts.Declaration | undefined): string[] | undefined {
		if (declaration === undefined) return undefined;
		if (ts.isVariableDeclaration(declaration) && declaration.initializer)
			return stringsOf(declaration.initializer);
		if (!ts.isParameter(declaration) || !ts.isIdentifier(declaration.name)) return undefined;
		const { parent } = declaration;
		const index = parent.parameters.indexOf(declaration);
		const passed = calls
			.filter(({ expression }) => functionOf(declarationOf(expression)) === parent)
			.map((call) => call.arguments[index]);
		return allOf(passed);
	}

	return stringsOf;
}

/** The function that a declaration is, or that a variable holds. */
function functionOf(declaration: ts.Declaration | undefined): ts.Node | undefined {
	return declaration && ts.isVariableDeclaration(declaration)
		? declaration.initializer
		: declaration;
}

/** What a function returns. */
function returnedBy(node: ts.Node | undefined): ts.Expression[] {
	if (node && ts.isArrowFunction(node) && !ts.isBlock(node.body)) return [node.body];
	return node === undefined
		? []
		: descendantsOf(node)
				.filter(ts.isReturnStatement)
				.flatMap(({ expression }) => expression ?? []);
}
