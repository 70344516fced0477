import { z } from 'zod';

const errorBodySchema = z.object({ code: z.string(), message: z.string().optional() });

/** The body of an error answer (§2 Error body). */
export type ErrorBody = z.infer<typeof errorBodySchema>;

/**
 * Reads an error answer (§7).
 *
 * @param body the parsed JSON body
 * @returns code and message, or undefined where the body is not shaped so (a proxy's page, say)
 */
export function readErrorBody(body: unknown): ErrorBody | undefined {
	const parsed = errorBodySchema.safeParse(body);
	return parsed.success ? parsed.data : undefined;
}
