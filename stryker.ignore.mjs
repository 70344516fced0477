import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** Members of an operation, and of a field, that only the form shows. */
const WORDS = new Set(['action', 'description', 'displayName', 'fields', 'placeholder', 'risk']);

const nameOf = (node) => node?.name ?? node?.value;

/** The type that a declaration is annotated with, e.g. INodeProperties. */
const typeOf = (id) => {
	const type = id?.typeAnnotation?.typeAnnotation;
	const inner = type?.type === 'TSArrayType' ? type.elementType : type;
	return inner?.typeName?.name;
};

/** An operation's own `name` and `value`: what its form calls it. */
const isOperationName = (path) =>
	path.isObjectProperty() &&
	nameOf(path.node.key) === 'name' &&
	typeOf(path.parentPath?.parentPath?.node.id) === 'Operation';

/** What a person is advised to do: the second argument of an error for the user. */
const isHint = (path) =>
	path.listKey === 'arguments' &&
	path.key === 1 &&
	path.parentPath?.isNewExpression() &&
	['Problem', 'UserError'].includes(nameOf(path.parentPath.node.callee));

/**
 * Leaves out what no test should repeat: the words of the form, which the editor's tests look at, and
 * the advice in an error. Its message, and what decides between two pieces of advice, are mutated.
 */
const form = {
	shouldIgnore(path) {
		if (path.isVariableDeclarator() && typeOf(path.node.id) === 'INodeProperties')
			return 'the form';
		if (path.isObjectProperty() && WORDS.has(nameOf(path.node.key))) return 'words of the form';
		if (isOperationName(path)) return 'words of the form';
		if ((path.isStringLiteral() || path.isTemplateLiteral()) && isHint(path)) return 'advice';
		return undefined;
	},
};

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'form', form)];
