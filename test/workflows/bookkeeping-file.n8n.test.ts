import { type Execution, outputOf } from '../../dev/harness/n8n/executions.ts';
import type { WorkflowFile } from '../../dev/harness/n8n/workflow.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import type { Json } from './codeStep.ts';
import {
	activated,
	filledIn,
	importFor,
	pollsSoon,
	useTestEnvironment,
	withParameters,
} from './environment.ts';
import { withDataTable } from './spreadsheet.ts';

const columns = 'Settled,Purchased,Card,Merchant,Amount,Currency,Direction,Transaction_ID,Exported';
const steps = ['Add or update the rows', 'In no file yet', 'Mark the rows'];
const mailStep = 'Send it by e-mail';

const environment = useTestEnvironment();

/** What the execution did last. */
const lastStep = ({ nodes }: Execution) => nodes.at(-1)?.name;

test('"Bookkeeping file" has each settled transaction in one file, also if a file could not be sent', async () => {
	const { n8n, company, mailServer } = environment();
	const { sandbox, api, account } = company;
	const cardId = await api.createCard('Books', account.id);
	const buy = async (amount: string, more: object = {}) => {
		const purchase = { cardId, amount, merchantName: 'Corner "Café", Ltd.', ...more };
		return (await sandbox.authorize(purchase)).event.transactionId;
	};
	const settle = async (amount: string, more: object = {}) => {
		const transaction = await buy(amount, more);
		await sandbox.simulateStep('clearing', transaction);
		return transaction;
	};
	const before = await settle('1.00');
	const usd = await buy('80.00');

	const withTable = await withDataTable(n8n, 'Books', columns.split(','), [], steps);
	const nobodyFor = (currency: string) => ({
		toEmail: `={{ $('Each file').item.json.currency == '${currency}' ? 'nobody@example.com' : 'accountant@example.com' }}`,
	});
	const change = (file: WorkflowFile) => {
		const ready = withParameters(
			activated(filledIn(withTable(file), { format: 'xero', dateFormat: 'yyyy-MM-dd' }), mailStep),
			...[mailStep, nobodyFor('USD')],
		);
		return { ...ready, nodes: ready.nodes.map(pollsSoon) };
	};
	const { id } = await importFor(
		environment(),
		'bookkeeping-file.json',
		{ readOnly: true },
		change,
	);

	await sandbox.simulateStep('clearing', usd, '79.99');
	await sandbox.simulateStep('reversal', usd);
	const eur = await settle('5.00', { currency: 'EUR', merchantName: '=Bistro' });
	const refunded = await settle('90.00');
	const refund = (await sandbox.simulateStep('refund', refunded, '33.30')).event.transactionId;
	await buy('45.00', { decline: { reason: 'suspected_fraud' } });
	await buy('7.00');
	const collected = async () => {
		const all = await n8n.executions(id);
		const rows = all.flatMap(({ nodes }) => nodes.filter(({ name }) => name === steps[0]));
		return new Set(rows.flatMap(({ items }) => (items as Json[]).map((row) => row.Transaction_ID)));
	};
	const hasAll = (transactions: string[]) => async () => {
		const found = await collected();
		return transactions.every((each) => found.has(each)) ? found : undefined;
	};
	const settled = [usd, eur, refunded, refund];
	const what = 'the rows of what has settled';
	expect(await waitUntil(hasAll(settled), { what, withinMs: 120_000 })).toEqual(new Set(settled));
	expect(settled).not.toContain(before);

	const run = async () => {
		mailServer.mails.splice(0);
		const execution = await n8n.run(id, 'Every month');
		return { execution, mails: mailServer.mails.splice(0) };
	};
	/** The attached file: its name, and its lines. */
	const attached = (mail = '') => {
		const [, name = ''] = /filename="?([^"\r\n]+)/.exec(mail) ?? [];
		const [, base64 = ''] = /attachment;[\s\S]*?\r\n\r\n([\w+/=\r\n]+)/.exec(mail) ?? [];
		return { name, text: Buffer.from(base64, 'base64').toString('utf8') };
	};
	const names = 'Date,Amount,Payee,Description,Reference\r\n';
	const linesOf = (text: string) => text.trimEnd().split('\r\n').slice(1).sort();

	// The file in USD comes after that in EUR, and cannot be sent.
	const first = await run();
	expect(first.execution.status).toBe('error');
	expect(outputOf(first.execution, mailStep).error).toContain('No such user');
	expect(first.mails).toHaveLength(1);
	const inEur = attached(first.mails[0]);
	expect(inEur.name).toMatch(/^card-transactions-EUR-\d{4}-\d\d-\d\d-\d{4}\.csv$/);
	expect(inEur.text).toMatch(
		new RegExp(`^${names}\\d{4}-\\d\\d-\\d\\d,-5\\.00,'=Bistro,Books \\(\\d{4}\\),${eur}\r\n$`),
	);

	const workflow = { name: '', ...(await n8n.workflow(id)) };
	const to = { toEmail: 'accountant@example.com' };
	await n8n.changeWorkflow(id, { nodes: withParameters(workflow, mailStep, to).nodes });
	const second = await run();
	expect([second.execution.status, lastStep(second.execution)]).toEqual(['success', 'Done']);
	expect(second.mails).toHaveLength(1);
	expect(second.mails[0]?.replaceAll('=\r\n', '')).toContain('3 lines, together -136.69 USD');
	const inUsd = attached(second.mails[0]);
	const lines = linesOf(inUsd.text).map((line) => line.replace(/^[\d-]{10}/, 'day'));
	const cells = (amount: string, transaction: string) =>
		expect.stringMatching(
			`^day,${amount},"Corner ""Café"", Ltd\\.",Books \\(\\d{4}\\),${transaction}$`,
		) as string;
	expect(lines).toEqual([cells('-79.99', usd), cells('-90.00', refunded), cells('33.30', refund)]);
	const marked = outputOf(second.execution, 'Mark the rows').items as Json[];
	expect(marked.map((row) => row.Exported)).toEqual(marked.map(() => inUsd.name));
	expect(marked.map((row) => row.Transaction_ID).sort()).toEqual([usd, refunded, refund].sort());

	const third = await run();
	expect([third.execution.status, lastStep(third.execution)]).toEqual(['success', 'Nothing new']);
	expect(third.mails).toEqual([]);

	const late = await settle('2.50');
	await waitUntil(hasAll([late]), { what, withinMs: 120_000 });
	const fourth = await run();
	expect(linesOf(attached(fourth.mails[0]).text)).toEqual([expect.stringContaining(`,${late}`)]);

	// As it comes: without e-mail, for QuickBooks.
	const last = await settle('0.10');
	await waitUntil(hasAll([last]), { what, withinMs: 120_000 });
	const stored = { name: '', ...(await n8n.workflow(id)) };
	const { nodes } = filledIn(stored, { format: 'quickbooks', dateFormat: 'MM/dd/yyyy' });
	const asItComes = nodes.map((node) =>
		node.name === mailStep ? { ...node, disabled: true } : node,
	);
	await n8n.changeWorkflow(id, { nodes: asItComes });
	const fifth = await run();
	expect([lastStep(fifth.execution), fifth.mails]).toEqual(['Done', []]);
	const [file] = outputOf(fifth.execution, 'Make the file').files;
	if (!file) throw new Error('There is no file');
	expect(String(await n8n.download(file))).toMatch(
		/^Date,Description,Amount\r\n\d\d\/\d\d\/\d{4},Corner Café Ltd. Books \d{4},-0\.10\r\n$/,
	);
	expect(lastStep((await run()).execution)).toBe('Nothing new');

	// The pinned sample is no purchase: it gets no row.
	const sample = { id: 'sample', amount: '1.00', merchantName: 'Shop (not a real event)' };
	const tried = await n8n.run(id, 'Settled transaction', [sample]);
	expect([tried.status, lastStep(tried)]).toEqual(['success', 'Not the sample']);
});
