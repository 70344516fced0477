import ts from 'typescript';

/** Types nested deeper than this are recursive, and have to be given a name in the entry. */
const MAX_DEPTH = 15;

/**
 * Gives the type declarations of a module's exports, with the types of other modules written out: whoever
 * installs the package needs none of the libraries that the types are derived with.
 *
 * @param entry path of the module
 * @param configFile path of its tsconfig.json
 * @throws where the module has type errors, or exports something that cannot be declared like this
 */
export function declarationsOf(entry: string, configFile: string): string {
	const program = createProgram(entry, configFile);
	const checker = program.getTypeChecker();
	const source = program.getSourceFile(entry);
	const module = source && checker.getSymbolAtLocation(source);
	if (!module) throw new Error(`${entry} is not a module`);

	const exported = checker
		.getExportsOfModule(module)
		.map((each) => (each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each));
	const names = new Map(
		exported
			.filter(({ flags }) => flags & ts.SymbolFlags.Type)
			.map((symbol) => [checker.getDeclaredTypeOfSymbol(symbol), symbol.name]),
	);

	const isGlobal = (symbol: ts.Symbol): boolean =>
		symbol.declarations?.every((each) => {
			const file = each.getSourceFile();
			return program.isSourceFileDefaultLibrary(file) || file.fileName.includes('/@types/node/');
		}) ?? false;

	function print(type: ts.Type, depth = 0): string {
		const name = depth > 0 ? names.get(type) : undefined;
		if (name !== undefined) return name;
		if (depth > MAX_DEPTH) throw new Error(`recursive type: ${checker.typeToString(type)}`);
		const inner = (each: ts.Type) => print(each, depth + 1);

		const { aliasSymbol, aliasTypeArguments = [] } = type;
		if (aliasSymbol && isGlobal(aliasSymbol)) {
			return reference(aliasSymbol.name, aliasTypeArguments.map(inner));
		}
		if (type.flags & ts.TypeFlags.Boolean) return 'boolean';
		if (type.isUnion()) {
			const members = type.types.map((each) => {
				const text = inner(each);
				return text.includes('=>') ? `(${text})` : text;
			});
			const hasBoth = members.includes('true') && members.includes('false');
			const rest = members.filter((each) => !hasBoth || !['true', 'false'].includes(each));
			return [...(hasBoth ? ['boolean'] : []), ...rest].join(' | ');
		}
		if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) {
			if (type.flags & ts.TypeFlags.Any) throw new Error('an exported type contains any');
			return checker.typeToString(type);
		}
		if (checker.isTupleType(type)) return `[${argumentsOf(type).map(inner).join(', ')}]`;
		if (checker.isArrayType(type)) return reference('Array', argumentsOf(type).map(inner));
		const symbol = type.getSymbol();
		if (symbol && isGlobal(symbol) && !(symbol.flags & ts.SymbolFlags.TypeLiteral)) {
			return reference(symbol.name, argumentsOf(type).map(inner));
		}
		const [signature] = type.getCallSignatures();
		if (signature) {
			return `(${parameters(signature, depth)}) => ${inner(signature.getReturnType())}`;
		}
		const indexes = checker
			.getIndexInfosOfType(type)
			.map((each) => `[key: ${inner(each.keyType)}]: ${inner(each.type)};`);
		const properties = checker.getPropertiesOfType(type).map((each) => property(each, depth));
		return `{ ${[...indexes, ...properties].join('\n')} }`;
	}

	const argumentsOf = (type: ts.Type): readonly ts.Type[] =>
		isReference(type) ? checker.getTypeArguments(type) : [];

	function property(symbol: ts.Symbol, depth: number): string {
		const [declaration] = symbol.declarations ?? [];
		const isReadonly =
			declaration && ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Readonly;
		const optional = symbol.flags & ts.SymbolFlags.Optional ? '?' : '';
		const name = /^[a-z_$][\w$]*$/i.test(symbol.name) ? symbol.name : JSON.stringify(symbol.name);
		const type = print(checker.getTypeOfSymbol(symbol), depth + 1);
		return `${docs(symbol)}${isReadonly ? 'readonly ' : ''}${name}${optional}: ${type};`;
	}

	function parameters(signature: ts.Signature, depth: number): string {
		return signature.parameters
			.map((each) => {
				const { valueDeclaration } = each;
				const isOptional =
					valueDeclaration &&
					ts.isParameter(valueDeclaration) &&
					checker.isOptionalParameter(valueDeclaration);
				// A destructured parameter has no name that may stand in a declaration.
				const name = each.name.startsWith('__') ? 'value' : each.name;
				return `${name}${isOptional ? '?' : ''}: ${print(checker.getTypeOfSymbol(each), depth + 1)}`;
			})
			.join(', ');
	}

	const docs = (symbol: ts.Symbol): string => {
		const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
		return text === '' ? '' : `/**\n${text.replace(/^/gm, ' * ')}\n */\n`;
	};

	function classDeclaration(symbol: ts.Symbol, declaration: ts.ClassDeclaration): string {
		const heritage = declaration.heritageClauses?.map((each) => each.getText()).join(' ') ?? '';
		const constructors = checker
			.getTypeOfSymbol(symbol)
			.getConstructSignatures()
			.map((each) => `constructor(${parameters(each, 0)});`);
		const members = [...(symbol.members?.values() ?? [])]
			.filter(({ flags }) => flags & (ts.SymbolFlags.Property | ts.SymbolFlags.Method))
			.filter(({ valueDeclaration: own }) => own && !isPrivate(own))
			.map((each) => property(each, 0));
		return `export declare class ${symbol.name} ${heritage} {\n${[...constructors, ...members].join('\n')}\n}`;
	}

	function declare(symbol: ts.Symbol): string {
		const { name, declarations: [declaration] = [] } = symbol;
		if (!declaration) throw new Error(`${name} has no declaration`);
		if (ts.isClassDeclaration(declaration)) return classDeclaration(symbol, declaration);
		if (ts.isFunctionDeclaration(declaration)) {
			const signature = checker.getSignatureFromDeclaration(declaration);
			if (!signature) throw new Error(`${name} has no signature`);
			const result = print(signature.getReturnType(), 1);
			return `export declare function ${name}(${parameters(signature, 0)}): ${result};`;
		}
		const type = print(checker.getDeclaredTypeOfSymbol(symbol));
		return ts.isInterfaceDeclaration(declaration)
			? `export interface ${name} ${type}`
			: `export type ${name} = ${type};`;
	}

	return exported.map((symbol) => docs(symbol) + declare(symbol)).join('\n\n') + '\n';
}

function createProgram(entry: string, configFile: string): ts.Program {
	const host: ts.ParseConfigFileHost = {
		...ts.sys,
		onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
			throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
		},
	};
	const config = ts.getParsedCommandLineOfConfigFile(configFile, {}, host);
	if (!config) throw new Error(`cannot read ${configFile}`);
	const program = ts.createProgram([entry], { ...config.options, types: ['node'] });
	const [error] = ts.getPreEmitDiagnostics(program);
	if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'));
	return program;
}

const reference = (name: string, types: readonly string[]): string =>
	types.length === 0 ? name : `${name}<${types.join(', ')}>`;

const isReference = (type: ts.Type): type is ts.TypeReference => 'target' in type;

const isPrivate = (node: ts.Declaration): boolean =>
	ts.isClassElement(node) && node.name !== undefined && ts.isPrivateIdentifier(node.name);
