import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { z } from 'zod';

import type { Field, Get } from '../api/field';
import type { Api } from '../transport/client';
import type { Effect } from '../transport/types';

/** One input item: what its fields hold, checked. What is wrong throws a UserError that names the field. */
export interface Item {
	context: IExecuteFunctions;
	index: number;
	get: Get;
}

/**
 * One operation of the action node: data, and the function that carries it out for one item. The
 * form, the refusal under a read-only credential, retries and concurrency all follow from the data.
 */
export interface Operation {
	/** Its name, as the workflow stores it. */
	value: string;
	/** Its name in the form, in title case. */
	name: string;
	/** Its name in the list of actions, and of a new node. n8n describes a tool to a model by nothing else. */
	action: string;
	/** One short line that lets a person choose it: the editor cuts off more than that. Warnings are notices. */
	description: string;
	effect: Effect;
	/**
	 * Its fields, in the order of the form; when they show is added by the table. A field that is
	 * required and empty keeps n8n from publishing or running the workflow; an expression passes, and
	 * the run says if it is empty.
	 */
	fields: Field[];
	/** An item of the output; the editor shows its fields before anything has run. */
	returns: z.ZodTypeAny;
	/** Carries it out, and gives the JSON of the output item, or of each. */
	run: (api: Api, item: Item) => Promise<IDataObject | IDataObject[]>;
}

/** A resource and its operations, in the order of the form. */
export interface Resource {
	/** As the workflow stores it. */
	value: string;
	/** In title case. */
	name: string;
	/** One short line. */
	description: string;
	/** The operation of a new node, which only reads. Undefined where none does: one has to be chosen. */
	initial: Operation | undefined;
	operations: Operation[];
}
