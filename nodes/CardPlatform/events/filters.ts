import { type Field, type ReadIfAdded, type Shown, text } from '../api/field';
import { UserError } from '../api/userError';
import {
	fold,
	quoteValue,
	toBound,
	toDecimal,
	toList,
	toText,
	toTrimmed,
	UUID,
} from '../api/values';
import type { EventFilter } from './eventTypes';

/** A filter that compares one field of an event with a list of values. */
function listFilter({
	field,
	pattern,
	noun,
	takes,
	passesIfListed = true,
	...shown
}: Shown & {
	/** The field of the event (§2). */
	field: string;
	/** What an upper-case value looks like. */
	pattern: RegExp;
	/** What one of its values is called. */
	noun: string;
	/** What it takes, for the error. */
	takes: string;
	/** False: an event passes unless its value is on the list, so also without a value. */
	passesIfListed?: boolean;
}): Field<EventFilter> {
	return text(shown, (value, displayName) => {
		const list = toList(value, displayName, takes);
		const wrong = list.find((entry) => !pattern.test(entry.toUpperCase()));
		if (wrong !== undefined) {
			throw new UserError(
				`${displayName}: ${quoteValue(wrong)} is not a valid ${noun}`,
				`Use ${takes}, separated by commas.`,
			);
		}
		const listed = new Set(list.map((entry) => entry.toUpperCase()));
		const filter: EventFilter = (event) => {
			const actual = toText(event[field]);
			const isListed = actual !== undefined && listed.has(actual.toUpperCase());
			return isListed === passesIfListed;
		};
		return Object.assign(filter, { normalized: [...listed].sort().join() });
	});
}

/** A filter that compares the amount of an event with a bound. */
const amountFilter = (name: string, displayName: string, side: 'least' | 'most') =>
	text<EventFilter>(
		{
			name,
			displayName,
			placeholder: 'e.g. 500.00',
			description: `Only amounts of at ${side} this, in whatever currency: combine it with the filter "Currencies"`,
		},
		(value) => {
			const bound = toBound(value, displayName);
			const filter: EventFilter = (event) => {
				const amount = toDecimal(event.amount);
				if (amount === undefined) return undefined;
				// amountDirection says which way the money goes (§2), whatever the sign.
				const size = amount < 0n ? -amount : amount;
				return side === 'least' ? size >= bound : size <= bound;
			};
			return Object.assign(filter, { normalized: String(bound), field: 'amount' });
		},
	);

const minimumAmount = amountFilter('minimumAmount', 'Minimum Amount', 'least');

const maximumAmount = amountFilter('maximumAmount', 'Maximum Amount', 'most');

const COUNTRY = {
	placeholder: 'e.g. US, CA',
	field: 'merchantCountry',
	pattern: /^([A-Z]{2,3}|\d{3})$/,
	noun: 'country code',
	takes: 'ISO 3166 codes as in the events, such as US',
};

/**
 * The filters. An event lacking a field that is filtered on does not pass: its value is unknown. But
 * it passes an exclusion: an unknown country may be a foreign one, and missed fraud is worse than an
 * alert too many.
 */
export const FILTERS: Field<EventFilter>[] = [
	listFilter({
		name: 'cardIds',
		displayName: 'Card IDs',
		placeholder: 'e.g. 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10',
		description: 'Only these cards. Separate multiple IDs with commas.',
		field: 'cardId',
		pattern: new RegExp(`^${UUID}$`),
		noun: 'card ID',
		takes: 'card IDs such as 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10',
	}),
	listFilter({
		name: 'categories',
		displayName: 'Categories',
		placeholder: 'e.g. airlines, lodging',
		description:
			'Only these categories, spelled as in the events. Separate multiple categories with commas.',
		field: 'category',
		pattern: /^[^"[\]{}]+$/,
		noun: 'category',
		takes: 'categories as spelled in the events',
	}),
	listFilter({
		...COUNTRY,
		name: 'merchantCountries',
		displayName: 'Countries',
		description:
			'Only merchants in these countries, spelled as in the events. Separate multiple countries with commas.',
	}),
	listFilter({
		name: 'currencies',
		displayName: 'Currencies',
		placeholder: 'e.g. USD, EUR',
		description: 'Only these currencies (ISO 4217). Separate multiple currencies with commas.',
		field: 'currency',
		pattern: /^[A-Z]{3}$/,
		noun: 'currency code',
		takes: 'codes such as USD or EUR',
	}),
	listFilter({
		...COUNTRY,
		name: 'excludeMerchantCountries',
		displayName: 'Exclude Countries',
		description:
			'Only merchants outside these countries (unknown counts as outside). Spell countries as in the events, and separate multiple ones with commas.',
		passesIfListed: false,
	}),
	maximumAmount,
	listFilter({
		name: 'merchantCategoryCodes',
		displayName: 'Merchant Category Codes',
		placeholder: 'e.g. 5812, 7995',
		description:
			'Only merchants with these category codes (MCC, four digits). Separate multiple codes with commas.',
		field: 'mcc',
		pattern: /^\d{4}$/,
		noun: 'merchant category code',
		takes: 'four-digit codes such as 5812',
	}),
	text(
		{
			name: 'merchantName',
			displayName: 'Merchant Name',
			placeholder: 'e.g. hotel',
			description: 'Only merchants whose name contains this string (not case-sensitive)',
		},
		(value, displayName) => {
			const part = fold(toTrimmed(value, displayName)) ?? '';
			const filter: EventFilter = ({ merchantName }) => fold(merchantName)?.includes(part) === true;
			return Object.assign(filter, { normalized: part });
		},
	),
	minimumAmount,
];

/** The same, where n8n can list the cards: with an API credential, which the webhook trigger does not have. */
export const FILTERS_WITH_PICKER = FILTERS.map((filter): Field<EventFilter> =>
	filter.name === 'cardIds'
		? {
				...filter,
				displayName: 'Card Names or IDs',
				type: 'multiOptions',
				typeOptions: { loadOptionsMethod: 'getCards' },
				default: [],
				placeholder: undefined,
				description:
					'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
			}
		: filter,
);
/** Those on fields that transactions have, too (§2). */
export const TRANSACTION_FILTERS = FILTERS_WITH_PICKER.filter(({ name }) =>
	['cardIds', 'currencies', 'maximumAmount', 'merchantName', 'minimumAmount'].includes(name),
);

/** The filters that are set, all of which an event has to pass. */
export function parseEventFilters(find: ReadIfAdded, filters = FILTERS): EventFilter[] {
	const [min, max] = [minimumAmount, maximumAmount].map((bound) => find(bound)?.normalized);
	if (min !== undefined && max !== undefined && BigInt(min) > BigInt(max)) {
		throw new UserError(
			'Minimum Amount is above Maximum Amount, so nothing can pass',
			'Set "Minimum Amount" to the smaller of the two amounts.',
		);
	}
	return filters.flatMap((filter) => find(filter) ?? []);
}

/** A filter as n8n stores it, in one form for all ways to write it. An expression, or a wrong value, stays as it is. */
export function normalizeFilter(name: string, value: unknown): unknown {
	const filter = FILTERS.find((each) => each.name === name);
	try {
		return filter?.parse(value, '', '').normalized ?? { value };
	} catch {
		return { value };
	}
}
