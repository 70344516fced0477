import { type Execution, outputOf } from '../../dev/harness/n8n/executions.ts';
import {
	cardNode,
	cardPlatform,
	node,
	splitOutNode,
	workflowOf,
} from '../../dev/harness/n8n/workflow.ts';
import { useTestEnvironment } from '../workflows/environment.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const environment = useTestEnvironment();

/** The input: the second card is unknown, and the third is no card ID at all. */
const invoices = () => {
	const [first, last] = environment().company.active;
	return [
		{ invoice: 'A-1', cardId: first.id },
		{ invoice: 'A-2', cardId: UNKNOWN, message: 'a field of the input' },
		{ invoice: 'A-3', cardId: 'no card' },
		{ invoice: 'A-4', cardId: last.id },
	];
};

/** Freezes the cards of the invoices. */
async function freeze(): Promise<Execution> {
	const { n8n, credentials } = environment();
	const cardId = { __rl: true, mode: 'id', value: '={{ $json.cardId }}' };
	const parameters = { resource: 'card', operation: 'freeze', cardId };
	const jsonOutput = JSON.stringify({ invoice: invoices() });
	const nodes = [
		node('Start', 'n8n-nodes-base.manualTrigger'),
		node('Invoices', 'n8n-nodes-base.set', {
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput, options: {} },
		}),
		splitOutNode('Items', 'invoice'),
		cardNode('Freeze', parameters, credentials[cardPlatform.action], {
			onError: 'continueErrorOutput',
		}),
	];
	const id = await n8n.addWorkflow(workflowOf('Error output', nodes));
	return n8n.run(id, 'Start');
}

const frozen = (id: string | undefined): unknown =>
	expect.objectContaining({ id, status: 'frozen', previousStatus: 'active' });

const unknown = {
	error: 'The resource was not found (404 not-found)',
	message: { httpCode: '404', hint: expect.stringContaining('No card with this ID is visible') },
};

const noCard = {
	error: expect.stringContaining('no card'),
	message: { hint: expect.any(String) },
};

test('an item that fails leaves through the error output, with its input', async () => {
	const execution = await freeze();
	const input = invoices();
	expect(execution.status).toBe('success');
	expect(outputOf(execution, 'Freeze').outputs).toEqual([
		[frozen(input[0]?.cardId), frozen(input[3]?.cardId)],
		[
			{ ...input[1], ...unknown },
			{ ...input[2], ...noCard },
		],
	]);
});
