import type { z } from 'zod';

import type { eventSchema } from '../nodes/CardPlatform/api/event.ts';
import type * as schemas from '../nodes/CardPlatform/api/schemas.ts';

type Api = Omit<typeof schemas, 'default'> & { eventSchema: typeof eventSchema };

/** A JSON schema, as far as n8n's editor reads it. */
export interface OutputSchema {
	type: string;
	properties?: Record<string, OutputSchema>;
	items?: OutputSchema;
}

/**
 * Gives the schemas of what the nodes return, which n8n's editor shows before anything has run.
 *
 * @param zod the copy of zod that made the schemas of the API
 * @param api the schemas of the API
 * @returns by path below `__schema__`
 * @throws Error for a schema of an unexpected type
 */
export function outputSchemas(zod: typeof z, api: Api): Record<string, OutputSchema> {
	const { boolean, object, string } = zod;
	const card = api.cardSchema.omit({ category: true });
	// With Include Details; without, only id, status and success.
	const changedCard = card.extend({ success: boolean() });
	const delivery = object({
		source: string(),
		eventId: string(),
		topic: string(),
		timestamp: string(),
	});

	const outputs = {
		// Node versions: the polling trigger's is 1, the trigger's 2.
		'v1.0.0/output': api.eventSchema.extend({ delivery: object({ source: string() }) }),
		'v2.0.0/output': api.eventSchema.extend({ delivery }),
		'v1.0.0/account/rename': api.accountSchema,
		'v1.0.0/account/transfer': api.transferSchema.extend({
			idempotencyKey: string(),
			isEarlierTransfer: boolean(),
		}),
		'v1.0.0/balance/get': api.balanceSchema,
		'v1.0.0/card/archive': changedCard,
		'v1.0.0/card/create': card,
		'v1.0.0/card/freeze': changedCard,
		'v1.0.0/card/get': card,
		'v1.0.0/card/getAll': card.omit({ categories: true, balance: true, limit: true }),
		'v1.0.0/card/getSensitiveDetails': api.sensitiveDetailsSchema,
		'v1.0.0/card/unfreeze': changedCard,
		'v1.0.0/card/update': card,
		// Simplified, as by default.
		'v1.0.0/cardEvent/getAll': api.eventSchema.pick({
			id: true,
			transactionId: true,
			cardId: true,
			amount: true,
			amountDirection: true,
			currency: true,
			isSuccess: true,
			isReversal: true,
			createdAt: true,
			merchantName: true,
		}),
		'v1.0.0/connection/check': object({
			success: boolean(),
			response: object({ status: string() }),
		}),
		'v1.0.0/payment/getAll': api.paymentSchema,
		// Of a settlement's fields (§2: undocumented) we expect an id.
		'v1.0.0/settlement/getAll': object({ id: string() }),
		'v1.0.0/transaction/get': api.transactionSchema,
		'v1.0.0/transaction/getAll': api.transactionSchema,
	};

	const convert = (schema: unknown): OutputSchema => {
		if (schema instanceof zod.ZodOptional) return convert(schema.unwrap());
		if (schema instanceof zod.ZodNullable) return convert(schema.unwrap());
		if (schema instanceof zod.ZodArray) return { type: 'array', items: convert(schema.element) };
		if (schema instanceof zod.ZodObject) {
			const fields = Object.entries(zod.record(string(), zod.unknown()).parse(schema.shape));
			const properties = fields.map(([name, field]) => [name, convert(field)] as const);
			return { type: 'object', properties: Object.fromEntries(properties) };
		}
		if (schema instanceof zod.ZodRecord) return { type: 'object' };
		if (schema instanceof zod.ZodNumber) return { type: schema.isInt ? 'integer' : 'number' };
		if (schema instanceof zod.ZodBoolean) return { type: 'boolean' };
		if (schema instanceof zod.ZodString) return { type: 'string' };
		throw new Error('A schema of the API has a type that no output schema can show');
	};
	return Object.fromEntries(
		Object.entries(outputs).map(([path, schema]) => [path, convert(schema)] as const),
	);
}
