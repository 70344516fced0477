import { z } from 'zod/v4';

import { QUERY_PARAMETER } from '../assumptions.ts';

const parameter = z
	.string()
	.refine((name) => Object.hasOwn(QUERY_PARAMETER, name), 'no parameter has this name');
const shape = z.enum(['envelope', 'data', 'array']);
const end = z.enum(['included', 'excluded']);

/** How an API could fill the gaps of its description (§2, §4); by default as the sandbox itself does. */
const dialectSchema = z.strictObject({
	names: z.record(parameter, z.string().min(1)).default({}),
	ignores: z.array(parameter).default([]),
	/** The response to a parameter that no list has. */
	unknown: z.enum(['ignored', 'refused']).default('ignored'),
	shapes: z
		.strictObject({
			cards: shape.default('envelope'),
			transactions: shape.default('envelope'),
			settlements: shape.default('envelope'),
			payments: shape.exclude(['envelope']).default('data'),
			events: shape.exclude(['envelope']).default('data'),
		})
		.prefault({}),
	/** What the page parameter counts; `none`: each list comes as a whole. */
	paging: z.enum(['pages', 'offset', 'none']).default('pages'),
	firstPage: z.union([z.literal(0), z.literal(1)]).default(1),
	largestPage: z.number().int().min(1).max(10_000).default(100),
	/** The response to a larger page size: a 400, or fewer records. */
	largerPage: z.enum(['refused', 'cut']).default('refused'),
	beyondEnd: z.enum(['empty', 'not-found', 'last']).default('empty'),
	/** Whether the ends of a range belong to it. */
	ends: z
		.strictObject({
			createdAfter: end.default('included'),
			createdBefore: end.default('excluded'),
			from: end.default('included'),
			to: end.default('included'),
		})
		.prefault({}),
	clearings: z.enum(['events', 'none']).default('events'),
	amounts: z.enum(['strings', 'numbers']).default('strings'),
	/** UTC, or two hours ahead of it. */
	times: z.enum(['utc', 'offset']).default('utc'),
});

export type Dialect = z.infer<typeof dialectSchema>;

export type ListName = keyof Dialect['shapes'];

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const array = 'array' as const;

const NAMED: Record<string, z.input<typeof dialectSchema>> = {
	snake_case: {
		names: Object.fromEntries(Object.keys(QUERY_PARAMETER).map((name) => [name, snakeCase(name)])),
	},
	minimal: {
		shapes: { cards: array, transactions: array, settlements: array },
		ignores: ['name', 'status', 'cardId', 'createdAfter', 'createdBefore'],
	},
	strict: { unknown: 'refused' },
};

export const dialectNameSchema = z.enum(['default', 'snake_case', 'minimal', 'strict']);

export const dialectChoiceSchema = z.union([dialectNameSchema, dialectSchema]);

export const dialectBody = z.strictObject({ dialect: dialectChoiceSchema });

type DialectChoice = z.infer<typeof dialectChoiceSchema>;

export interface Dialects {
	/** Undefined for the default: then nothing is translated. */
	current: () => Dialect | undefined;
	chosen: () => DialectChoice;
	choose: (choice: DialectChoice) => void;
}

export function createDialects(chosen: DialectChoice): Dialects {
	const choose = (choice: DialectChoice) => {
		chosen = choice;
		const dialect = typeof choice === 'string' ? NAMED[choice] : choice;
		current = dialect && dialectSchema.parse(dialect);
	};
	let current: Dialect | undefined;
	choose(chosen);
	return { current: () => current, chosen: () => chosen, choose };
}
