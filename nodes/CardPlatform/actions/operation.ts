import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { z } from 'zod';

import type { Field, ReadField } from '../api/field';
import type { Api } from '../transport/client';
import type { Effect } from '../transport/types';

/** One input item. Reading a field checks it, and throws a UserError that names it. */
export interface Item {
	context: IExecuteFunctions;
	index: number;
	get: ReadField;
}

/**
 * One operation of the action node: data, and the function that runs it for one item. The form, the read-only
 * check, retries and concurrency follow from the data.
 */
export interface Operation {
	/** Its name, as the workflow stores it. */
	value: string;
	/** Its name in the form, in title case. */
	name: string;
	/** Its name in the list of actions, and of a new node: all that n8n tells a model of a tool. */
	action: string;
	/** One short line: the editor cuts off a longer one. Warnings are notices. */
	description: string;
	effect: Effect;
	/**
	 * Its fields, in the order of the form; the table adds when they show. n8n publishes and runs nothing while a
	 * required field is empty. An expression passes, and the run says if it is empty.
	 */
	fields: Field[];
	/** An output item; the editor shows its fields before the first run. */
	returns: z.ZodTypeAny;
	/** Runs it; returns one output item or several. */
	run: (api: Api, item: Item) => Promise<IDataObject | IDataObject[]>;
}

/** A resource and its operations, in the order of the form. */
export interface Resource {
	value: string;
	name: string;
	description: string;
	/** The operation of a new node, which only reads. Undefined if none does: a person has to choose. */
	initial: Operation | undefined;
	operations: Operation[];
}
