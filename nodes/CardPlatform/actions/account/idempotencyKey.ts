import { createHash, randomUUID } from 'node:crypto';

import { ExpressionParser, type IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { Problem } from '../../api/problem';

/** What a transfer is: another account or amount makes it another transfer. */
export interface TransferRequest {
	from: number;
	to: number;
	/** Decimal string in USD. */
	amount: string;
}

/** What is known of an item that was sent before, in this execution or in the one that it retries. */
const recordSchema = z.object({
	key: z.string(),
	transfer: z.string(),
	/** When it was first sent, in milliseconds since 1970. */
	sentAt: z.number(),
	outcome: z.enum(['sent', 'unclear', 'made', 'refused']),
});

const journalSchema = z.object({
	nodeId: z.string(),
	/** Of the first execution, where this one retries it. */
	executionId: z.string(),
	/** By run index and item index, e.g. "0/3". */
	items: z.record(z.string(), recordSchema),
});

type ItemRecord = z.infer<typeof recordSchema>;

type Journal = z.infer<typeof journalSchema>;

/** An item's transfer with its key, about to be sent. */
export interface Attempt {
	key: string;
	/** When it was first sent, in milliseconds since 1970; now where that is not known. */
	sentAt: number;
	/** True where an earlier attempt may have made the transfer. */
	wasUnclear: boolean;
	/** True where an earlier item of this execution has made the transfer under the same key. */
	isRepeat: boolean;
	/** Records how it ended, for n8n's retries of this node or of the execution. */
	end: (outcome: 'made' | 'unclear' | 'refused') => void;
}

const OPTION = 'Idempotency Key';

const EXAMPLE =
	"e.g. {{ $('Card Platform Trigger').item.json.id }}, or {{ $('Your Trigger').item.json.invoiceNumber }}";

const TOOL_EXAMPLE =
	"e.g. {{ $fromAI('paymentId', 'A unique ID of this payment, such as the invoice number') }}";

const refusal = (reason: string, hint: string) =>
	new Problem(`No transfer was sent, as it has no Idempotency Key: ${reason}`, hint);

/** Why n8n could run this piece of work twice without our noticing; the hints name the way out. */
const REFUSALS = {
	retriedTool: refusal(
		'Retry On Fail is on, and with each try n8n gives this tool another identity',
		`Turn off Retry On Fail in the settings of this tool: the node retries by itself, under one key. Or add the option "${OPTION}", ${TOOL_EXAMPLE}.`,
	),
	retriedAgent: refusal(
		'Retry On Fail is on for the node that calls this tool, so the tool could be called again',
		`Turn off Retry On Fail in the settings of the agent. Or add the option "${OPTION}" to this tool, ${TOOL_EXAMPLE}.`,
	),
	nestedTool: refusal(
		'n8n does not show the node whether the sub-agent that calls this tool is retried',
		`Add the option "${OPTION}" to this tool, ${TOOL_EXAMPLE}.`,
	),
	subWorkflow: refusal(
		'in a sub-workflow, a retry of the calling workflow would make it again',
		`Add the option "${OPTION}" and pass it in from the calling workflow, e.g. {{ $('When Executed by Another Workflow').item.json.invoiceNumber }}.`,
	),
	retriedExecution: refusal(
		'this execution retries an earlier one, and nothing shows which transfers that one made',
		`Check first whether the earlier execution made this transfer: with a new key, it is made again. If it was not made, add the option "${OPTION}", ${EXAMPLE}, and retry with the currently saved workflow.`,
	),
	noIdentity: refusal(
		'Retry On Fail is on, and n8n gives this run no execution ID to recognise it by',
		`Turn off Retry On Fail in the settings of this node. Or add the option "${OPTION}", ${EXAMPLE}.`,
	),
} as const;

const toText = ({ from, to, amount }: TransferRequest) => `${from} ${to} ${amount}`;

/** A UUID of version 8 that is the same for the same parts. */
function toUuid(parts: unknown[]): string {
	const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
	return [
		hex.slice(0, 8),
		hex.slice(8, 12),
		`8${hex.slice(13, 16)}`,
		`8${hex.slice(17, 20)}`,
		hex.slice(20, 32),
	].join('-');
}

const rawOptionSchema = z.object({
	options: z.object({ idempotencyKey: z.string().startsWith('=') }),
});

const isBlank = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** The part of the option's expression that finds nothing, as in INV-{{ $json.invoice }}. */
function findEmptyPart(context: IExecuteFunctions, index: number): string | undefined {
	const raw = rawOptionSchema.safeParse(context.getNode().parameters);
	if (!raw.success) return undefined;
	const parts = ExpressionParser.splitExpression(raw.data.options.idempotencyKey.slice(1));
	return parts
		.filter(({ type }) => type === 'code')
		.map(({ text }) => `{{${text}}}`)
		.find((part) => isBlank(context.evaluateExpression(part, index)));
}

/**
 * Reads the option "Idempotency Key". Once added, it must have a value for every item: an empty
 * one is an expression that found nothing, and no other key may take its place.
 *
 * @param options the collection "Options" of the item
 * @returns undefined if the option was not added
 * @throws Problem
 */
export function readUserKey(
	context: IExecuteFunctions,
	index: number,
	options: Record<string, unknown>,
): string | undefined {
	if (!('idempotencyKey' in options)) return undefined;
	const value = options.idempotencyKey;
	const emptyPart = isBlank(value) ? '' : findEmptyPart(context, index);
	if (emptyPart !== undefined) {
		throw new Problem(
			'Idempotency Key is empty for this item, so no transfer was sent',
			`${emptyPart === '' ? `The option "${OPTION}" was added, but is empty` : `In the option "${OPTION}", ${emptyPart} is empty`}. Use a value that every item has, ${EXAMPLE}. To leave the key to the node, remove the option.`,
		);
	}
	// What a header can carry as it stands, so that two keys never become one.
	const key = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
	throw new Problem(
		`Idempotency Key cannot be used as a key: ${JSON.stringify(value)}`,
		`"${OPTION}" takes 1 to 255 letters, digits and signs of the English keyboard, e.g. an invoice number.`,
	);
}

/** Whether n8n's engine runs this node itself, so that run index and item index are right. */
function isRunByEngine(context: IExecuteFunctions): boolean {
	if ('isToolExecution' in context && context.isToolExecution()) return false;
	// A tool that an agent or the MCP trigger calls has their execute data.
	return context.getExecuteData().node.id === context.getNode().id;
}

/** Why a call from an agent or from the MCP Server Trigger could come again; undefined: it cannot. */
function findToolRefusal(context: IExecuteFunctions): Problem | undefined {
	const node = context.getNode();
	if (node.retryOnFail === true) return REFUSALS.retriedTool;
	if (context.getMode() === 'retry') return REFUSALS.retriedExecution;
	if (context.getMode() === 'integrated') return REFUSALS.subWorkflow;
	const caller = context.getExecuteData().node;
	if (caller.id === node.id) return undefined;
	if (caller.retryOnFail === true) return REFUSALS.retriedAgent;
	const tools = context.getParentNodes(caller.name, { connectionType: 'ai_tool', depth: 1 });
	return tools.some(({ name }) => name === node.name) ? undefined : REFUSALS.nestedTool;
}

/** The journals of running executions, so that each is read once. */
const journals = new WeakMap<object, { journal: Journal; isComplete: boolean }>();

/**
 * The journal of this node, which n8n keeps in the execution's data for its retries. It is complete
 * unless the execution retries one that left none; then it is not kept, as a further retry could not
 * tell what the first execution sent.
 */
function openJournal(context: IExecuteFunctions): { journal: Journal; isComplete: boolean } {
	const kept = context.getContext('node');
	const open = journals.get(kept);
	if (open !== undefined) return open;

	const { id: nodeId } = context.getNode();
	const found = journalSchema.safeParse(kept.transfers);
	const inherited = found.success && found.data.nodeId === nodeId ? found.data : undefined;
	const journal = inherited ?? { nodeId, executionId: context.getExecutionId(), items: {} };
	const isComplete = inherited !== undefined || context.getMode() !== 'retry';
	if (isComplete) kept.transfers = journal;
	const opened = { journal, isComplete };
	journals.set(kept, opened);
	return opened;
}

/**
 * When n8n started the execution, which tells executions apart whose IDs repeat (a reset database, a
 * cloned n8n). Not for n8n before 2.4: there, in queue mode, a job whose worker crashed may run again
 * under the same ID with another time.
 */
const startOf = (context: IExecuteFunctions): number | undefined =>
	'isToolExecution' in context ? context.getExecutionContext()?.establishedAt : 0;

/** Refuses a transfer that may be the second attempt at an equal one whose outcome is unclear. */
function refuseSecondAttempt({ items }: Journal, transfer: string): void {
	const unclear = Object.values(items).find(
		(record) => record.outcome === 'unclear' && record.transfer === transfer,
	);
	if (unclear === undefined) return;
	throw new Problem(
		`No transfer was sent: it is not known whether the same one was made earlier in this execution, with Idempotency Key ${unclear.key}`,
		`To try that one again, set the option "${OPTION}" to ${unclear.key}: it is made at most once. To make another one, give it a key that is different.`,
	);
}

/** A key that is the same whenever n8n runs this item again, and differs for any other work. */
function deriveKey(
	context: IExecuteFunctions,
	journal: Journal,
	{ place, transfer }: { place: string; transfer: string },
): string {
	const mode = context.getMode();
	if (mode === 'integrated') throw REFUSALS.subWorkflow;
	const isTool = context.getNode().type.endsWith('Tool');
	// An agent that is retried asks its model again, which may call the tool at another place.
	if (mode === 'retry' && isTool) throw REFUSALS.retriedExecution;

	return toUuid([
		context.getInstanceId(),
		context.getWorkflow().id,
		journal.executionId,
		startOf(context),
		journal.nodeId,
		place,
		transfer,
	]);
}

/**
 * Chooses the key of an item's transfer (§4.2): the user's, one derived from what identifies the
 * item in every retry, or, for a call that n8n does not repeat, a random one. docs/transfers.md lists
 * what applies where.
 *
 * @param index of the item
 * @param userKey from {@link readUserKey}
 * @throws Problem where n8n could repeat the work unrecognised, or where the item was already sent
 * as another transfer or under another key
 */
export function openAttempt(
	context: IExecuteFunctions,
	index: number,
	request: TransferRequest,
	userKey: string | undefined,
): Attempt {
	const transfer = toText(request);
	const fresh = (key: string): Attempt => ({
		key,
		sentAt: Date.now(),
		wasUnclear: false,
		isRepeat: false,
		end: () => undefined,
	});
	if (!isRunByEngine(context)) {
		const problem = userKey === undefined ? findToolRefusal(context) : undefined;
		if (problem !== undefined) throw problem;
		return fresh(userKey ?? randomUUID());
	}
	if (!context.getExecutionId() || startOf(context) === undefined) {
		if (userKey === undefined && context.getNode().retryOnFail === true) throw REFUSALS.noIdentity;
		return fresh(userKey ?? randomUUID());
	}

	const { journal, isComplete } = openJournal(context);
	if (userKey === undefined && !isComplete) throw REFUSALS.retriedExecution;
	const place = `${z.number().parse(context.getWorkflowDataProxy(index).$runIndex)}/${index}`;
	const known = journal.items[place];
	// What the API refused was not made: it may be sent as something else.
	const before = known?.outcome === 'refused' ? undefined : known;
	const key = userKey ?? deriveKey(context, journal, { place, transfer });
	if (userKey === undefined && before === undefined) refuseSecondAttempt(journal, transfer);
	if (before !== undefined && (before.key !== key || before.transfer !== transfer)) {
		throw new Problem(
			`This item was already sent with Idempotency Key ${before.key}, so it was not sent again as another transfer or with another key`,
			`Check whether that transfer was made. To repeat it safely, keep its accounts and amount and set the option "${OPTION}" to ${before.key}. To make another one, start a new execution.`,
		);
	}
	const twins = Object.entries(journal.items).filter(
		([at, { key: other, outcome }]) => at !== place && other === key && outcome !== 'refused',
	);
	if (twins.some(([, twin]) => twin.transfer !== transfer)) {
		throw new Problem(
			`Idempotency Key ${JSON.stringify(key)} was already used in this execution for another transfer, so nothing was sent`,
			`Give each transfer a different key: "${OPTION}" takes something that belongs to this transfer only, ${EXAMPLE}.`,
		);
	}

	const record: ItemRecord = before ?? { key, transfer, sentAt: Date.now(), outcome: 'sent' };
	journal.items[place] = record;
	return {
		key,
		sentAt: record.sentAt,
		wasUnclear: before !== undefined && before.outcome !== 'made',
		isRepeat: twins.some(([, { outcome }]) => outcome === 'made'),
		end(outcome) {
			// A refusal says nothing about an earlier attempt.
			if (outcome !== 'refused' || before === undefined) record.outcome = outcome;
		},
	};
}
