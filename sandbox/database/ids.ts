import { createHash, randomBytes, randomUUID } from 'node:crypto';

/** Where the IDs, card digits and secrets of new records come from. */
export interface Ids {
	uuid: () => string;
	/** The last four digits of a card number. */
	lastFour: () => string;
	/** For a key or a signing secret: 43 characters of base64url. */
	secret: () => string;
	/** Restarts the series. */
	restart: () => void;
}

const digits = (bytes: Buffer): string => String(bytes.readUInt32BE() % 10_000).padStart(4, '0');

/** Random ones or, with the number of a series (up to 99 999 999), the same in each run. */
export function createIds(series?: number): Ids {
	let counts = { uuids: 0, cards: 0, secrets: 0 };
	if (series === undefined) {
		return {
			uuid: randomUUID,
			lastFour: () => digits(randomBytes(4)),
			secret: () => randomBytes(32).toString('base64url'),
			restart: () => undefined,
		};
	}
	const hash = (text: string) => createHash('sha256').update(`${series} ${text}`).digest();
	return {
		// Like those of seeded records, which begin with letters.
		uuid: () =>
			`${String(series).padStart(8, '0')}-0000-4000-8000-${String(++counts.uuids).padStart(12, '0')}`,
		lastFour: () => digits(hash(`card ${++counts.cards}`)),
		secret: () => hash(`secret ${++counts.secrets}`).toString('base64url'),
		// The first secret is the key of the start, which a reset keeps.
		restart: () => (counts = { uuids: 0, cards: 0, secrets: 1 }),
	};
}
