import { outputOf } from '../../dev/harness/n8n/executions.ts';
import type { Json } from './codeStep.ts';
import { activated, importFor, useTestEnvironment } from './environment.ts';
import { withDataTable } from './spreadsheet.ts';

const environment = useTestEnvironment(() => ({}), 'any');

// tell-me-when-the-api-changes.test.ts has every change.
test('"Tell me when the API changes" reports what differs at first, and then only what changed', async () => {
	const { n8n, company, mailServer } = environment();
	const { sandbox } = company;
	const columns = ['Topic', 'Question', 'Result', 'What_to_do', 'Since'];
	const steps = ['Remember', 'Last result'];
	const withTable = await withDataTable(n8n, 'API answers', columns, [], steps);
	const { id } = await importFor(
		environment(),
		'tell-me-when-the-api-changes.json',
		{ readOnly: true },
		(file) => activated(withTable(file), 'Send email'),
	);
	const run = async () => {
		mailServer.mails.splice(0);
		const before = new Set((await sandbox.requests()).map(({ number }) => number));
		const execution = await n8n.run(id, 'Every week');
		const requests = (await sandbox.requests()).filter(({ number }) => !before.has(number));
		expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']));
		return { execution, mails: mailServer.mails.splice(0).map(({ text }) => text) };
	};

	const first = await run();
	expect(first.execution.status).toBe('success');
	const answers = outputOf(first.execution, 'Test API').items as Json[];
	const known = answers.filter(({ result }) => result !== 'no data');
	const remembered = outputOf(first.execution, 'Remember').items;
	expect(remembered).toHaveLength(known.length);
	const differing = known.filter(({ result }) => result !== 'as assumed');
	expect(first.mails).toHaveLength(differing.length > 0 ? 1 : 0);
	for (const { question } of differing) expect(first.mails[0]).toContain(question);

	const second = await run();
	expect(second.execution.status).toBe('success');
	expect(second.mails).toEqual([]);
	expect(second.execution.nodes.map(({ name }) => name)).not.toContain('Remember');

	await sandbox.setDialect('snake_case');
	const third = await run();
	expect(third.execution.status).toBe('success');
	expect(third.mails).toHaveLength(1);
	expect(third.mails[0]).toMatch(
		/cards: Does pageSize work\? \w+, was as assumed\. Evidence: .* To do: Paste into Parameter Names/,
	);

	await sandbox.setFaults([{ kind: 'status', status: 500, path: '/health' }]);
	const failed = await run();
	expect([failed.execution.status, failed.execution.nodes.at(-1)?.name]).toEqual([
		'error',
		'Test API',
	]);
	expect(failed.mails).toEqual([]);
});
