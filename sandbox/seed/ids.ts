const PREFIX = {
	card: 'ca4d',
	transaction: '7a5a',
	event: 'e4e7',
	payment: 'fa73',
	settlement: '5e77',
};

/** Gives the uuid of the `number`-th seeded thing of a kind: the same in every sandbox. */
export function seedId(kind: keyof typeof PREFIX, number: number): string {
	return `${PREFIX[kind]}0000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
