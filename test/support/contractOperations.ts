import { bodyCheck, type Check, parameterCheck } from './contractSchemas';
import {
	listOperations,
	type PlacedOperation,
	readOpenapi,
	toApiDocument,
} from './openapi/document.ts';

/** An operation of openapi.yaml, ready to check what goes over the wire. */
export interface CheckedOperation {
	method: string;
	/** As openapi.yaml writes it. */
	path: string;
	/** Gives the path parameters of a path, undefined for the path of another operation. */
	match: (path: string) => Record<string, string> | undefined;
	checkPath: Check;
	checkQuery: Check;
	checkHeaders: Check;
	/** Undefined where the operation takes no body. */
	checkRequestBody: Check | undefined;
	/** By status; the check is undefined where the answer has no body. */
	answers: Map<string, Check | undefined>;
}

function toMatch(template: string): CheckedOperation['match'] {
	const names: string[] = [];
	const pattern = template.replace(/\{([^}]+)\}/g, (_placeholder, name: string) => {
		names.push(name);
		return '([^/]+)';
	});
	const regex = new RegExp(`^${pattern}$`);
	return (path) => {
		const found = regex.exec(path)?.slice(1);
		return found && Object.fromEntries(names.map((name, index) => [name, found[index] ?? '']));
	};
}

function toChecked({ method, path, operation }: PlacedOperation): CheckedOperation {
	const { parameters, requestBody, responses } = operation;
	return {
		method,
		path,
		match: toMatch(path),
		checkPath: parameterCheck(parameters, 'path'),
		checkQuery: parameterCheck(parameters, 'query'),
		checkHeaders: parameterCheck(parameters, 'header'),
		checkRequestBody: requestBody && bodyCheck(requestBody.content['application/json'].schema),
		answers: new Map(
			Object.entries(responses).map(([status, { content }]) => [
				status,
				content && bodyCheck(content['application/json'].schema),
			]),
		),
	};
}

const document = toApiDocument(readOpenapi());

/** Every operation of openapi.yaml, in its order. */
export const operations = listOperations(document.paths).map(toChecked);

/** Every webhook of openapi.yaml; the path is its topic. */
export const webhooks = listOperations(document.webhooks).map(toChecked);
