/** A filter that a field of an event passes when its value is on a list. */
export interface ListFilter {
	/** Its name in the form. */
	label: string;
	/** The field of the event (§2). */
	field: string;
	/** What an upper-case value looks like. */
	form: RegExp;
	/** What it takes, in words. */
	hint: string;
}

/** The filters that take lists, by the name of their parameter. */
export const LIST_FILTERS: ReadonlyMap<string, ListFilter> = new Map<string, ListFilter>([
	[
		'cardIds',
		{
			label: 'Card IDs',
			field: 'cardId',
			form: /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/,
			hint: 'card IDs such as 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10',
		},
	],
	[
		'currencies',
		{
			label: 'Currencies',
			field: 'currency',
			form: /^[A-Z]{3}$/,
			hint: 'three-letter ISO 4217 codes such as USD or EUR',
		},
	],
	[
		'categories',
		{
			label: 'Categories',
			field: 'category',
			form: /./,
			hint: 'categories as spelled in the events',
		},
	],
	[
		'merchantCategoryCodes',
		{
			label: 'Merchant Category Codes',
			field: 'mcc',
			form: /^\d{4}$/,
			hint: 'four-digit codes such as 5812',
		},
	],
	[
		'merchantCountries',
		{
			label: 'Merchant Countries',
			field: 'merchantCountry',
			form: /^([A-Z]{2,3}|\d{3})$/,
			hint: 'ISO 3166 codes as in the events, such as US',
		},
	],
]);
