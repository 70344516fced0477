import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { DateTime } from 'luxon';

import { happens } from '../support/happens';
import { codeStep, type Json } from './codeStep';

const checkSettings = codeStep('bookkeeping-file.json', 'Check the settings');
const compare = codeStep('bookkeeping-file.json', 'Compare');
const writeFiles = codeStep('bookkeeping-file.json', 'Write the files');

const settings = {
	...{ firstDay: '2026-01-01', days: '90', format: 'plain', dateFormat: 'yyyy-MM-dd' },
	...{ dateOf: 'today', purchases: 'negative', decimals: '.', account: '', billCurrency: 'USD' },
};

const which = fc.nat(7);

/** What a transaction becomes. */
const change = fc.record({
	which,
	to: fc.constantFrom('settled', 'settled', 'settled', 'released', 'pending', 'unreadable'),
	cents: fc.constantFrom(100, 250),
	currency: fc.constantFrom(undefined, undefined, undefined, 'USD', 'EUR'),
});

type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

/** Something that happens to a company. */
const step = fc.oneof(
	happens(3, 'purchase', {
		currency: fc.constantFrom('USD', 'EUR'),
		direction: fc.constantFrom('debit', 'debit', 'credit'),
	}),
	happens(6, 'change', { change }),
	happens(1, 'wait', { days: fc.integer({ min: 1, max: 40 }) }),
	happens(4, 'runs', {
		/** Between their steps: which of two runs goes on, and what changes before that. */
		turns: fc.array(
			fc.record({ isOther: fc.boolean(), changes: fc.array(change, { maxLength: 1 }) }),
			{
				maxLength: 24,
				size: 'max',
			},
		),
	}),
);

const START = DateTime.fromISO('2026-02-01T06:00:00Z', { zone: 'utc' });

/** A company: what the API lists, the data table, and the files that the accountant has got. */
class Company {
	readonly transactions: Record<string, string>[] = [];

	readonly files = new Map<string, string>();

	/** Files that came once more. */
	repeats = 0;

	now = START;

	private table: Json[] = [];

	purchase(currency: string, amountDirection: string): void {
		const id = `t${this.transactions.length}`;
		const createdAt = String(this.now);
		this.transactions.push({
			...{ id, currency, amountDirection, createdAt },
			status: 'pending',
			amount: '1.00',
		});
	}

	change({ which: index, to, cents, currency }: Change): void {
		const transaction = this.transactions.at(-1 - index);
		if (transaction === undefined) return;
		const amount =
			to === 'unreadable' ? '?' : to === 'released' ? '0.00' : (cents / 100).toFixed(2);
		Object.assign(transaction, { amount, status: to === 'unreadable' ? 'settled' : to });
		if (currency !== undefined) transaction.currency = currency;
	}

	/** What changes later than a transaction is in the window would be in no file. */
	wait(days: number): void {
		this.now = DateTime.min(this.now.plus({ days }), START.plus({ days: 80 }));
	}

	/** Runs the workflow. n8n can stop, or fail, at each `yield`. */
	*run(): Generator<void, void, void> {
		const globals = { $now: this.now };
		const checked = checkSettings({ outputs: { Settings: [settings] }, globals });
		const Transactions = structuredClone(this.transactions);
		yield;
		const before = structuredClone(this.table);
		const outputs: Record<string, Json[]> = {
			...{ 'Check the settings': checked, Transactions, 'Card events': [{}], 'Card bill': [{}] },
			'Handed over': before.length > 0 ? before : [{}],
		};
		yield;
		outputs.Compare = compare({ outputs, globals });
		const lines = outputs.Compare.filter(({ File }) => File !== undefined);
		// n8n inserts all rows in one transaction of its database.
		if (lines.length > 0) {
			const rows = lines.map((row, index) => ({
				id: this.table.length + index + 1,
				Sent: null,
				...row,
			}));
			this.table.push(...rows);
			outputs['Record the lines'] = structuredClone(rows);
		}
		yield;
		for (const { fileName, text } of writeFiles({ outputs, globals })) {
			const name = String(fileName);
			// The accountant takes the same name for the same file.
			expect(this.files.get(name) ?? text).toBe(text);
			if (this.files.has(name)) this.repeats += 1;
			this.files.set(name, String(text));
			yield;
			this.table = this.table.map((row) => (row.File === name ? { ...row, Sent: 'now' } : row));
			yield;
		}
	}

	/** What the files say together, by transaction and currency, in cents. */
	handedOver(): Record<string, number> {
		const sums: Record<string, number> = {};
		for (const text of this.files.values()) {
			for (const cells of parse(text, { bom: true }).slice(1)) {
				const key = `${cells.at(-1)} ${cells[6]}`;
				sums[key] = (sums[key] ?? 0) - Math.round(Number(cells[5]) * 100);
			}
		}
		return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
	}

	/** What is settled, in the same way. */
	settled(): Record<string, number> {
		const settled = this.transactions.filter(({ status }) => status === 'settled');
		return Object.fromEntries(
			settled.map(({ id, currency, amount, amountDirection }) => [
				`${id} ${currency}`,
				Math.round(Number(amount) * 100) * (amountDirection === 'debit' ? 1 : -1),
			]),
		);
	}
}

test('the files of 300 companies add up to what is settled, whatever fails or changes in between', () => {
	let [files, stopped, repeats] = [0, 0, 0];
	fc.assert(
		fc.property(fc.array(step, { minLength: 1, maxLength: 20, size: 'max' }), (steps) => {
			const company = new Company();
			for (const each of steps) {
				if (each.kind === 'purchase') company.purchase(each.currency, each.direction);
				else if (each.kind === 'change') company.change(each.change);
				else if (each.kind === 'wait') company.wait(each.days);
				else {
					const pair = [company.run(), company.run()] as const;
					for (const { isOther, changes } of each.turns) {
						for (const one of changes) company.change(one);
						pair[isOther ? 1 : 0].next();
					}
					stopped += pair.filter((run) => run.next().done !== true).length;
				}
			}
			// Then what could not be read is corrected, and nothing fails any more.
			for (const transaction of company.transactions)
				if (transaction.amount === '?') transaction.amount = '7.00';
			const run = company.run();
			while (run.next().done !== true);
			files += company.files.size;
			repeats += company.repeats;
			expect(company.handedOver()).toEqual(company.settled());
		}),
		{ numRuns: 300 },
	);
	expect([files, stopped, repeats].every((count) => count > 100)).toBe(true);
});
