import { readFileSync } from 'node:fs';

import { parse } from 'yaml';
import { z } from 'zod/v4';

import { ROOT } from '../root.ts';

/** The path prefix of the public API (§9). */
export const API_PATH = '/v1/public';

const apiSchema = z.looseObject({
	paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});

export const readApi = (): z.infer<typeof apiSchema> =>
	apiSchema.parse(parse(readFileSync(new URL('openapi.yaml', ROOT), 'utf8'), { merge: true }));
