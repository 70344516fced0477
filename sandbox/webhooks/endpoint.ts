import { createHash, randomBytes, randomUUID } from 'node:crypto';

import { z } from 'zod/v4';

import { MAX_URL_LENGTH } from '../assumptions.ts';
import type { Database } from '../database/database.ts';
import { notFound } from '../http/errors.ts';
import type { Services } from '../services.ts';

export const ENDPOINTS_TABLE = `
create table endpoints (
	id text primary key,
	accountId integer not null references accounts,
	url text not null,
	createdAt text not null,
	secret text not null,
	previousSecret text,
	previousSecretUntil text
) strict;
`;

/** §6 Signature 4: how long the previous secret stays valid after a rotation, in milliseconds. */
const PREVIOUS_SECRET_VALIDITY = 24 * 60 * 60 * 1000;

export const endpointUrlSchema = z
	.string()
	.max(MAX_URL_LENGTH)
	.refine((url) => /^https?:/i.test(url) && URL.canParse(url), 'expected an http or https URL');

export const signingSecretSchema = z
	.string()
	.regex(/^[!-~]{8,255}$/, 'expected 8 to 255 printable ASCII characters without spaces');

const endpointRow = z.object({
	id: z.string(),
	accountId: z.number(),
	url: z.string(),
	createdAt: z.string(),
	/** Until when the secret before the last rotation is valid, also after that time. */
	previousSecretUntil: z.string().nullable(),
});

/** A subscribed URL (§6), without its secrets: they are shown only when made. */
export type Endpoint = z.infer<typeof endpointRow>;

const COLUMNS = 'id, accountId, url, createdAt, previousSecretUntil';

export function listEndpoints(db: Database): Endpoint[] {
	return db.all(endpointRow, `select ${COLUMNS} from endpoints order by createdAt, rowid`);
}

export const endpointsOf = (db: Database, accountId: number): Endpoint[] =>
	listEndpoints(db).filter((endpoint) => endpoint.accountId === accountId);

export interface NewEndpoint extends Pick<Endpoint, 'accountId' | 'url'> {
	id?: string;
	/** Its signing secret; by default a random one. */
	secret?: string | undefined;
}

/** Subscribes a URL; gives the endpoint with its signing secret, which is not shown again. */
export function insertEndpoint(
	db: Database,
	{ accountId, url, id = randomUUID(), secret = newSecret() }: NewEndpoint,
	now: Date,
): Endpoint & { signingSecret: string } {
	const createdAt = now.toISOString();
	const columns = { id, accountId, url, createdAt };
	db.insert('endpoints', { ...columns, secret });
	return { ...columns, previousSecretUntil: null, signingSecret: secret };
}

/**
 * Subscribes a URL with a secret, or gives its endpoint this secret if the account has one. The ID is the same in each
 * sandbox.
 */
export function ensureEndpoint(
	db: Database,
	endpoint: NewEndpoint & { secret: string },
	now: Date,
): void {
	const { accountId, url, secret } = endpoint;
	const changed = db.run(
		`update endpoints set secret = :secret, previousSecret = null, previousSecretUntil = null
			where accountId = :accountId and url = :url`,
		{ accountId, url, secret },
	);
	if (changed > 0) return;
	const hash = createHash('sha256').update(`${accountId} ${url}`).digest('hex');
	const id = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
	insertEndpoint(db, { ...endpoint, id }, now);
}

/**
 * Gives an endpoint a new signing secret, a random one by default, and keeps the one before it valid for 24 hours
 * (§6 Signature 4). Gives the new one; throws a 404 for an unknown endpoint.
 */
export function rotateSecret(
	{ db, now }: Services,
	id: string,
	signingSecret = newSecret(),
): string {
	const until = new Date(now().getTime() + PREVIOUS_SECRET_VALIDITY).toISOString();
	const changed = db.run(
		`update endpoints set previousSecret = secret, previousSecretUntil = :until,
			secret = :signingSecret where id = :id`,
		{ id, signingSecret, until },
	);
	if (changed === 0) throw notFound('The endpoint was not found');
	return signingSecret;
}

const secretsRow = z.object({ secret: z.string(), previous: z.string().nullable() });

/** Gives the secrets that sign a delivery at a time, the newest first (§6 Signature 3); none without such an endpoint. */
export function validSecrets(db: Database, id: string, now: Date): string[] {
	const row = db.get(
		secretsRow,
		`select secret, case when previousSecretUntil > :now then previousSecret end as previous
			from endpoints where id = :id`,
		{ id, now: now.toISOString() },
	);
	return row ? [row.secret, row.previous].filter((each) => each !== null) : [];
}

/**
 * Removes an endpoint; its pending deliveries fail, as there is nowhere left to send them. Throws a
 * 404 for an unknown one.
 */
export function removeEndpoint({ db }: Services, id: string): void {
	db.transaction(() => {
		const pending = `endpointId = :id and status = 'pending'`;
		db.run(`update deliveries set status = 'failed' where ${pending}`, { id });
		const deleted = db.run('delete from endpoints where id = :id', { id });
		if (deleted === 0) throw notFound('The endpoint was not found');
	});
}

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;
