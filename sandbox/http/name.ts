import { z } from 'zod/v4';

import { MAX_NAME_LENGTH } from '../assumptions.ts';

/** A name in a request body: text that is not blank nor too long, without the space around it. */
export const nameSchema = z
	.string()
	.trim()
	.min(1, 'must not be blank')
	.refine(
		(name) => Array.from(name).length <= MAX_NAME_LENGTH,
		`must not be longer than ${MAX_NAME_LENGTH} characters`,
	);
