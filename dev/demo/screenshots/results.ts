import { join } from 'node:path';

import { parse } from 'csv-parse/sync';
import type { Browser } from 'playwright-core';

import type { N8nClient } from '../../harness/n8n/client.ts';
import { outputOf } from '../../harness/n8n/executions.ts';
import { readWorkflow, setUpWorkflow } from '../../harness/n8n/workflow.ts';
import { addAutomation, type Automation } from '../../harness/scenario/automation.ts';
import type { SandboxFixture } from '../../harness/scenario/sandboxFixture.ts';
import { workflowsFolder } from '../../harness/tools/paths.ts';
import type { Screenshots } from './screenshots.ts';

// What people get from a workflow: a file and a message of a run, as the programs that open them show them.

/** These workflows have a picture of their result in place of one of their steps. */
export const withResult = ['alert-on-declines', 'card-transactions-to-a-spreadsheet'] as const;

const [alerts, transactions] = withResult;

/** Rows of the file that fit into a picture. */
const shownRows = 10;

const style = `<meta charset="utf-8"><style>
	body { margin: 0; padding: 16px; background: #e9ecef; font: 14px/1.5 sans-serif; color: #202124; }
	main { display: inline-block; background: #fff; border: 1px solid #c9ced3; }
	h1 { margin: 0; padding: 8px 12px; font-size: 14px; border-bottom: 1px solid #c9ced3; }
	p { margin: 0; padding: 12px; white-space: pre-wrap; }
	dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 12px; margin: 0; padding: 8px 12px; border-bottom: 1px solid #e3e6e8; }
	dt { color: #6b7075; } dd { margin: 0; } a { color: #1a5fb4; }
	table { border-collapse: collapse; font-size: 12px; }
	th, td { border: 1px solid #d5d9dc; padding: 2px 7px; max-width: 200px; overflow: hidden; white-space: nowrap; }
	td:last-child { max-width: 110px; }
	th { background: #f1f3f4; color: #5f6368; font-weight: normal; }
	.number { text-align: right; }
</style>`;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A spreadsheet reads what looks like a number as one, and shows it without zeros at its end. */
function cellOf(text: string): string {
	const isNumber = /^-?\d+(\.\d+)?$/.test(text);
	return isNumber ? `<td class="number">${Number(text)}</td>` : `<td>${escaped(text)}</td>`;
}

function spreadsheetPage(fileName: string, rows: readonly string[][]): string {
	const letters = rows[0]?.map((_, index) => `<th>${String.fromCharCode(65 + index)}</th>`) ?? [];
	const lines = rows.map(
		(cells, index) => `<tr><th>${index + 1}</th>${cells.map(cellOf).join('')}</tr>`,
	);
	const table = `<table><tr><th></th>${letters.join('')}</tr>${lines.join('')}</table>`;
	return `${style}<main><h1>${escaped(fileName)}</h1>${table}</main>`;
}

/** What the steps "Message" and "Send email" say of an email. */
interface Email {
	fromEmail: string;
	toEmail: string;
	subject: string;
	text: string;
}

function emailPage({ fromEmail, toEmail, subject, text }: Email): string {
	const linked = escaped(text).replace(/https?:\S+/g, '<a href="$&">$&</a>');
	const head = `<dt>From</dt><dd>${escaped(fromEmail)}</dd><dt>To</dt><dd>${escaped(toEmail)}</dd>`;
	return `${style}<main><h1>${escaped(subject)}</h1><dl>${head}</dl><p>${linked}</p></main>`;
}

/** Lets a purchase be declined, and returns the email that "Alert on declines" sends. */
async function runAlert(
	n8n: N8nClient,
	{ credentials }: Automation,
	company: SandboxFixture,
): Promise<Email> {
	const file = await readWorkflow(join(workflowsFolder, `${alerts}.json`));
	const nodes = file.nodes.map((node) =>
		node.name === 'Declined purchase by webhook' ? { ...node, disabled: false } : node,
	);
	const { workflowId } = await addAutomation(n8n, company, { ...file, nodes }, credentials);
	await company.sandbox.authorize({
		cardId: company.active[0].id,
		amount: '2899.00',
		merchantName: 'LUXOR GOLD TRADING',
		merchantCountry: 'TR',
		decline: { reason: 'suspected_fraud' },
	});
	const [execution] = await n8n.waitForExecutions(workflowId);
	const addresses = nodes.find(({ name }) => name === 'Send email')?.parameters;
	const [message] = outputOf(execution, 'Message').items;
	return { ...(addresses as Email), ...(message as Email) };
}

/** Makes the file of "Card transactions to a spreadsheet". */
async function runExport(n8n: N8nClient, { credentials }: Automation) {
	const file = await readWorkflow(join(workflowsFolder, `${transactions}.json`));
	const id = await n8n.addWorkflow(setUpWorkflow(file, credentials));
	const execution = await n8n.run(id, 'Every day at 06:00');
	const [made] = outputOf(execution, 'Make the file').files;
	if (made === undefined) throw new Error('There is no file');
	return { name: made.fileName, rows: parse(await n8n.download(made), { bom: true }) };
}

/** Captures the results of {@link withResult}, as `<name>.png`. */
export async function captureResults(
	screenshots: Screenshots,
	browser: Browser,
	n8n: N8nClient,
	automation: Automation,
	company: SandboxFixture,
): Promise<void> {
	const file = await runExport(n8n, automation);
	const email = await runAlert(n8n, automation, company);
	const page = await browser.newPage({ viewport: { width: 1300, height: 600 } });
	for (const [name, html] of [
		[transactions, spreadsheetPage(file.name, file.rows.slice(0, shownRows + 1))],
		[alerts, emailPage(email)],
	] as const) {
		await page.setContent(html);
		await screenshots.capture(name, page.locator('main'));
	}
	await page.close();
}
