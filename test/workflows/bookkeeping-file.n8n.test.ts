import { type Execution, outputOf } from '../../dev/harness/n8n/executions.ts';
import type { WorkflowFile } from '../../dev/harness/n8n/workflow.ts';
import type { Json } from './codeStep.ts';
import {
	activated,
	filledIn,
	importFor,
	useTestEnvironment,
	withParameters,
} from './environment.ts';
import type { Mail } from './mailServer.ts';
import { withDataTable } from './spreadsheet.ts';

const columns = 'File,Transaction_ID,Created,Card,Merchant,Amount,Currency,What,Text,Sent'.split(
	',',
);
const steps = ['Record the lines', 'Handed over', 'Mark as sent'];
const mailStep = 'Send it by email';

const environment = useTestEnvironment();

/** What the execution did last. */
const lastStep = ({ nodes }: Execution) => nodes.at(-1)?.name;

/** The attached file: its name, and its text. */
function attached(mail?: Mail) {
	const [file] = mail?.files ?? [];
	return { name: file?.name, text: String(file?.content) };
}

// bookkeeping-file.test.ts has every difference, format and setting; bookkeeping-file.property.test.ts what can fail.
test('"Bookkeeping file" hands over each difference once, also if a file could not be sent', async () => {
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
	const usd = await settle('79.99');
	const eur = await settle('5.00', { currency: 'EUR', merchantName: '=Bistro' });
	const refunded = await settle('90.00');
	const refund = (await sandbox.simulateStep('refund', refunded, '33.30')).event.transactionId;
	await buy('45.00', { decline: { reason: 'suspected_fraud' } });
	const pending = await buy('7.00');

	const withTable = await withDataTable(n8n, 'Books', columns, [], steps);
	const nobodyFor = (currency: string) => ({
		toEmail: `={{ $('Each file').item.json.fileName.includes('${currency}') ? 'nobody@example.com' : 'accountant@example.com' }}`,
	});
	// Only what this test buys.
	const ofCard = (file: WorkflowFile): WorkflowFile => {
		const transactions = file.nodes.find(({ name }) => name === 'Transactions');
		const { filters } = transactions?.parameters as { filters: object };
		return withParameters(file, 'Transactions', { filters: { ...filters, cardId } });
	};
	const { id } = await importFor(
		environment(),
		'bookkeeping-file.json',
		{ readOnly: true },
		(file) =>
			withParameters(activated(ofCard(withTable(file)), mailStep), mailStep, nobodyFor('USD')),
	);
	const change = async (to: (file: WorkflowFile) => WorkflowFile) => {
		const stored = { name: '', ...(await n8n.workflow(id)) };
		const { nodes, pinData } = to(stored);
		await n8n.changeWorkflow(id, { nodes, ...(pinData ? { pinData } : {}) });
	};
	const run = async () => {
		mailServer.mails.splice(0);
		const execution = await n8n.run(id, 'Every month');
		return { execution, mails: mailServer.mails.splice(0) };
	};

	// As it comes, it asks for the first day, and reads nothing.
	const unset = await run();
	expect([unset.execution.status, lastStep(unset.execution)]).toEqual([
		'error',
		'Check the settings',
	]);
	expect(outputOf(unset.execution, 'Check the settings').error).toContain(
		'firstDay in Settings is "". Enter the first day of your books',
	);

	// The file in USD comes after that in EUR, and cannot be sent.
	const year = new Date().getUTCFullYear();
	const values = { firstDay: `${year - 1}-01-01`, format: 'xero', dateFormat: 'yyyy-MM-dd' };
	await change((file) => filledIn(file, values));
	const first = await run();
	expect(first.execution.status).toBe('error');
	expect(outputOf(first.execution, mailStep).error).toContain('No such user');
	expect(first.mails).toHaveLength(1);
	const inEur = attached(first.mails[0]);
	expect(inEur.name).toMatch(/^card-transactions-\d{4}-\d\d-EUR-\w+\.csv$/);
	const names = 'Date,Amount,Payee,Description,Reference\r\n';
	expect(inEur.text).toMatch(
		new RegExp(`^${names}\\d{4}-\\d\\d-\\d\\d,-5\\.00,'=Bistro,Books \\(\\d{4}\\),${eur}\r\n$`),
	);

	// In between, something settles: the file that was not sent comes as it was, and then another one.
	await sandbox.simulateStep('clearing', pending);
	await change((file) => withParameters(file, mailStep, { toEmail: 'accountant@example.com' }));
	const second = await run();
	expect([second.execution.status, lastStep(second.execution)]).toEqual(['success', 'Done']);
	const [inUsd, later, ...none] = second.mails.map(attached);
	expect(none).toEqual([]);
	const linesOf = (text = '') =>
		text
			.trimEnd()
			.split('\r\n')
			.slice(1)
			.map((line) => line.replace(/^[\d-]{10}/, 'day'));
	const cells = (amount: string, transaction: string) =>
		expect.stringMatching(
			`^day,${amount},"Corner ""Café"", Ltd\\.",Books \\(\\d{4}\\),${transaction}$`,
		) as string;
	expect(linesOf(inUsd?.text).sort()).toEqual(
		[cells('-79.99', usd), cells('-90.00', refunded), cells('33.30', refund)].sort(),
	);
	expect(linesOf(later?.text)).toEqual([cells('-7.00', pending)]);
	expect(later?.name).not.toBe(inUsd?.name);
	expect(second.mails[0]?.text).toContain('Lines: 3. Purchases less refunds: 136.69 USD.');
	expect(second.mails[0]?.text).toMatch(
		/Purchases of \w+ \d{4} that have settled.* Card bills due in \w+ \d{4}: /,
	);
	const recorded = outputOf(first.execution, 'Record the lines').items as Json[];
	expect(recorded.map((row) => row.File)).toContain(inUsd?.name);

	const third = await run();
	expect([third.execution.status, lastStep(third.execution)]).toEqual(['success', 'Done']);
	expect(third.mails).toEqual([]);

	// One amount changes, one transaction is released, one cannot be read: that fails the run, after the other currency.
	const listed = outputOf(third.execution, 'Transactions').items as Json[];
	const changed = (changes: Record<string, Json>) => (file: WorkflowFile) => ({
		...file,
		pinData: {
			Transactions: listed.map((each) => ({ json: { ...each, ...changes[String(each.id)] } })),
		},
	});
	await change(
		changed({ [usd]: { amount: '12,50' }, [eur]: { status: 'released', amount: '0.00' } }),
	);
	const fourth = await run();
	expect([fourth.execution.status, lastStep(fourth.execution)]).toEqual(['error', 'Done']);
	expect(outputOf(fourth.execution, 'Done').error).toContain(
		`There is no new file in USD. Ask your provider about ${usd} (12,50 USD debit settled`,
	);
	expect(fourth.mails.map((mail) => linesOf(attached(mail).text))).toEqual([
		[expect.stringMatching(`^day,5\\.00,'=Bistro,"Books \\(\\d{4}\\), no longer settled",${eur}$`)],
	]);

	// As it comes: without email, for QuickBooks.
	const quickbooks = { format: 'quickbooks', dateFormat: 'MM/dd/yyyy' };
	await change((file) => {
		const corrected = changed({ [usd]: { amount: '100.00' }, [eur]: { status: 'released' } })(file);
		const { nodes, ...rest } = filledIn(corrected, quickbooks);
		const off = nodes.map((node) => (node.name === mailStep ? { ...node, disabled: true } : node));
		return { ...rest, nodes: off };
	});
	const fifth = await run();
	expect([lastStep(fifth.execution), fifth.mails]).toEqual(['Done', []]);
	const [file] = outputOf(fifth.execution, 'Make the file').files;
	if (!file) throw new Error('There is no file');
	expect(String(await n8n.download(file))).toMatch(
		/^Date,Description,Amount\r\n\d\d\/\d\d\/\d{4},Corner Café Ltd. Books \d{4} amount changed,-20\.01\r\n$/,
	);
});
