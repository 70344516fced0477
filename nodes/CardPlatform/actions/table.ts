import { archive } from './card/archive';
import { freeze } from './card/freeze';
import { get } from './card/get';
import { getAll } from './card/getAll';
import { unfreeze } from './card/unfreeze';
import { check } from './connection/check';
import type { Operation, Resource } from './operation';

/** Every resource and operation of the action node: the form and the router both follow it. */
export const RESOURCES: Resource[] = [
	{ value: 'card', name: 'Card', operations: [archive, freeze, get, getAll, unfreeze] },
	{ value: 'connection', name: 'Connection', operations: [check] },
];

const operations = new Map<string, Operation>(
	RESOURCES.flatMap(({ value, operations: each }) =>
		each.map((operation) => [`${value}/${operation.value}`, operation]),
	),
);

/** Finds an operation by the values that the workflow stores; undefined where there is none. */
export const findOperation = (resource: string, operation: string): Operation | undefined =>
	operations.get(`${resource}/${operation}`);
