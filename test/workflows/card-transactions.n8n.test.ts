import { join } from 'node:path';

import { readSheet } from 'read-excel-file/node';
import { z } from 'zod';

import { outputOf } from '../../harness/n8n/executions.ts';
import { cardPlatform, readWorkflow } from '../../harness/n8n/workflow.ts';
import { addApiCredential } from '../../harness/scenario/automation.ts';
import { requestJson } from '../../harness/tools/json.ts';
import { workflowsFolder } from '../../harness/tools/paths.ts';
import { type ChangingProxy, startChangingProxy } from '../support/changingProxy';
import { activated, importWorkflow, type LiveWorkflow, useTestEnvironment } from './environment.ts';
import { googleSheets, inSpreadsheet } from './googleSheet.ts';

const trigger = 'Every day at 06:00';
const dayMs = 86_400_000;
const spreadsheet = 'a-spreadsheet-for-card-transactions';
const columns = [
	'Date',
	'Card',
	'Last four',
	'Merchant',
	'Amount',
	'Currency',
	'Status',
	'Exact amount',
	'Direction',
	'Transaction ID',
];

const listSchema = z.object({
	data: z.array(
		z.object({
			id: z.string(),
			amount: z.string(),
			amountDirection: z.string(),
			createdAt: z.string(),
			currency: z.string(),
			merchantName: z.string().default(''),
			status: z.string(),
		}),
	),
});

const environment = useTestEnvironment();

// Tests "Card transactions to a spreadsheet" with a Google sheet that keeps what n8n writes.
describe('"Card transactions to a spreadsheet"', () => {
	let live: LiveWorkflow;
	let proxy: ChangingProxy;
	const ids: Record<string, string> = {};

	const importIt = async (...active: string[]) => {
		const { n8n, company, credentials } = environment();
		const key = { baseUrl: proxy.url, readOnly: true };
		const all = {
			...credentials,
			[cardPlatform.action]: await addApiCredential(n8n, company, key),
			...(await googleSheets(n8n)),
			'n8n-nodes-base.emailSend': await n8n.addCredential('smtp', { host: '127.0.0.1' }),
		};
		const file = await readWorkflow(
			join(workflowsFolder, 'card-transactions-to-a-spreadsheet.json'),
		);
		const set = activated(inSpreadsheet(file, spreadsheet), ...active);
		return importWorkflow({ ...environment(), credentials: all }, set);
	};

	const run = async ({ id }: LiveWorkflow = live) => {
		const execution = await environment().n8n.run(id, trigger);
		expect(execution.status).toBe('success');
		return execution;
	};
	const rows = () => environment().internet.rows(spreadsheet, 'Transactions');
	const rowOf = async (id: string) => {
		const [names = [], ...all] = await rows();
		const found = all.filter((row) => row.includes(id));
		expect(found).toHaveLength(1);
		return Object.fromEntries(
			names.map((name, index) => [String(name), found[0]?.[index]] as const),
		);
	};

	beforeAll(async () => {
		const { sandbox, api, account } = environment().company;
		proxy = await startChangingProxy(api.url);
		const cardId = await api.createCard('=1+1', account.id);
		const buy = async (amount: string, decline?: { reason: string }) => {
			const merchant = { merchantName: '+Corner "Café"', merchantCountry: 'US' };
			const purchase = { cardId, amount, ...merchant, ...(decline && { decline }) };
			return (await sandbox.authorize(purchase)).event.transactionId;
		};
		await sandbox.setClock(new Date(Date.now() - 35 * dayMs));
		ids.old = await buy('1.00');
		await sandbox.setClock(new Date(Date.now() - 25 * dayMs));
		ids.recent = await buy('0.10');
		await sandbox.resetClock();
		ids.pending = await buy('80.00');
		ids.declined = await buy('45.00', { reason: 'suspected_fraud' });
		ids.refunded = await buy('90.00');
		await sandbox.simulateStep('clearing', ids.refunded);
		ids.refund = (await sandbox.simulateStep('refund', ids.refunded, '33.30')).event.transactionId;
		live = await importIt();
	}, 400_000);

	afterAll(() => proxy.close());

	it('adds no row for days without transactions', async () => {
		proxy.set(() => undefined);
		const { nodes } = await run();
		expect(nodes.map(({ name }) => name)).not.toContain('Add or update the rows');
		expect(await rows()).toEqual([]);
		proxy.set((record) => record);
	});

	it('writes the transactions of the last days as the API lists them, and nothing as a formula', async () => {
		const execution = await run();
		expect(outputOf(execution, 'Make the Excel file').files).toEqual([]);
		const [names, ...all] = await rows();
		expect(names).toEqual(columns);
		const { api, apiKey } = environment().company;
		const headers = { authorization: `Bearer ${apiKey}` };
		const { data } = await requestJson(`${api.url}/transactions?pageSize=100`, listSchema, {
			headers,
		});
		const since = (days: number) =>
			data.filter(({ createdAt }) => Date.parse(createdAt) > Date.now() - days * dayMs);
		expect(data.length).toBeLessThan(100);
		const written = all.map((row) => row.at(-1));
		expect(written).toEqual(expect.arrayContaining(since(28).map(({ id }) => id)));
		expect(since(31).map(({ id }) => id)).toEqual(expect.arrayContaining(written));
		for (const { id, amount, amountDirection, status, merchantName, ...rest } of since(28)) {
			const sign = { debit: 1, credit: -1 }[amountDirection] ?? Number.NaN;
			expect(await rowOf(id)).toMatchObject({
				Amount: status === 'declined' ? 0 : sign * Number(amount) || 0,
				'Exact amount': amount,
				Direction: amountDirection,
				Currency: rest.currency,
				Status: status,
				Merchant: merchantName,
			});
		}
		expect(await rowOf(ids.refund ?? '')).toMatchObject({
			Date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
			Card: '=1+1',
			'Last four': expect.stringMatching(/^\d{4}$/),
			Merchant: '+Corner "Café"',
			Amount: -33.3,
			'Exact amount': '33.30',
		});
	});

	it('changes nothing when it runs again', async () => {
		const before = await rows();
		await run();
		expect(await rows()).toEqual(before);
	});

	it('changes the row of a purchase that settles with another amount', async () => {
		const before = await rows();
		const { sandbox } = environment().company;
		await sandbox.simulateStep('clearing', ids.pending ?? '', '79.99');
		await sandbox.simulateStep('reversal', ids.pending ?? '');
		await run();
		expect(await rowOf(ids.pending ?? '')).toMatchObject({
			Amount: 79.99,
			'Exact amount': '79.99',
			Status: 'settled',
		});
		const others = (all: typeof before) => all.filter((row) => row.at(-1) !== ids.pending);
		expect(others(await rows())).toEqual(others(before));
	});

	it('makes an Excel file of the same rows', async () => {
		const sheet = await run(await importIt('Make the Excel file'));
		const [file] = outputOf(sheet, 'Make the Excel file').files;
		if (!file) throw new Error('There is no file');
		expect(file.fileName).toMatch(/^card-transactions-\d{4}-\d\d-\d\d\.xlsx$/);
		const inFile = await readSheet(await environment().n8n.download(file));
		const filled = (await rows()).map((row) => row.map((value) => (value === '' ? null : value)));
		expect(inFile).toEqual(filled);
	});
});
