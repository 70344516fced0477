import { createHash, randomUUID } from 'node:crypto';

import { ExpressionParser, type IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import type { Transfer } from '../../api/schemas';
import { UserError } from '../../api/userError';
import { isBlank, quoteValue } from '../../api/values';
import {
	type Journal,
	openJournal,
	type Outcome,
	SentKeys,
	type SentTransfer,
	settle,
} from './sentTransfers';

/** What a transfer is: another account or amount makes it another transfer. */
export interface TransferRequest {
	from: number;
	to: number;
	/** Decimal string in USD. */
	amount: string;
}

/** An item's transfer with its key, about to be sent. */
export interface Attempt {
	key: string;
	/** When it was first sent, in milliseconds since 1970; now if this is the first time. */
	sentAt: number;
	/** True if an earlier attempt may have made the transfer. */
	wasUnclear: boolean;
	/** True if an earlier item, call or execution has made the transfer under the same key. */
	isRepeat: boolean;
	/** What to do if the outcome is unclear, in one or two sentences. */
	advice: string;
	/** The API's response, where this item has made the transfer before: it must not be sent again. */
	made?: Transfer;
	/**
	 * Records how it ended, for n8n's retries and for later calls; refused only if it was never unclear.
	 *
	 * @param response that shows that the transfer was made
	 */
	end: (outcome: Outcome, response?: Transfer) => void;
}

const OPTION = 'Idempotency Key';

const EXAMPLE =
	"e.g. {{ $('Card Platform Trigger').item.json.id }}, or {{ $('Your Trigger').item.json.invoiceNumber }}";

const TOOL_EXAMPLE =
	"e.g. {{ $fromAI('paymentId', 'A unique ID of this payment, such as the invoice number') }}";

const refusal = (reason: string, hint: string) =>
	new UserError(`The transfer was not sent because it has no Idempotency Key: ${reason}`, hint);

/** Why n8n could run this piece of work twice without our noticing; the hints name the way out. */
const REFUSALS = {
	retriedTool: refusal(
		'Retry On Fail is on, and n8n identifies this tool differently in each attempt',
		`Turn off Retry On Fail in the settings of this tool: the node itself retries failed requests, with the same key. Or add the option "${OPTION}", ${TOOL_EXAMPLE}.`,
	),
	retriedAgent: refusal(
		'Retry On Fail is on for the node that calls this tool, so the tool could be called again',
		`Turn off Retry On Fail in the settings of the agent. Or add the option "${OPTION}" to this tool, ${TOOL_EXAMPLE}.`,
	),
	hiddenCaller: refusal(
		'the node cannot tell whether n8n retries the agent that calls this tool',
		`Add the option "${OPTION}" to this tool, ${TOOL_EXAMPLE}.`,
	),
	subWorkflow: refusal(
		'in a sub-workflow, a retry of the calling workflow would make the transfer again',
		`Add the option "${OPTION}" and pass it in from the calling workflow, e.g. {{ $('When Executed by Another Workflow').item.json.invoiceNumber }}.`,
	),
	retriedExecution: refusal(
		'this execution is a retry, and there is no record of the transfers that the earlier execution made',
		`First check whether the earlier execution made this transfer: with another key, it is made again. If it was not made, add the option "${OPTION}", ${EXAMPLE}, and retry with the currently saved workflow.`,
	),
	noIdentity: refusal(
		'Retry On Fail is on, and n8n gives this run no execution ID that identifies it',
		`Turn off Retry On Fail in the settings of this node. Or add the option "${OPTION}", ${EXAMPLE}.`,
	),
} as const;

const identityOf = ({ from, to, amount }: TransferRequest) => `${from} ${to} ${amount}`;

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

/** Says why a value can be neither a key nor a part of one; undefined if it can. */
function findFlaw(value: unknown): string | undefined {
	if (typeof value === 'number' && Number.isFinite(value)) {
		return Number.isSafeInteger(value)
			? undefined
			: 'a number that may be rounded, so two payments could share a key: put it in quotes in the JSON that it comes from';
	}
	// An object or NaN is the same for many items.
	if (typeof value === 'string' && !isBlank(value)) return undefined;
	return 'empty, or neither a string nor a number';
}

/** What JavaScript writes for a value that is missing, as in {{ 'INV-' + $json.invoice }}. */
const MISSING = /(^|[^A-Za-z])(undefined|null|NaN)([^A-Za-z]|$)|\[object /;

/** Names the part of the option's expression that no key may have, as in INV-{{ $json.invoice }}. */
function findFlawedPart(context: IExecuteFunctions, index: number): string | undefined {
	const raw = rawOptionSchema.safeParse(context.getNode().parameters);
	if (!raw.success) return undefined;
	const parts = ExpressionParser.splitExpression(raw.data.options.idempotencyKey);
	for (const { text } of parts.filter(({ type }) => type === 'code')) {
		const flaw = findFlaw(context.evaluateExpression(`{{${text}}}`, index));
		if (flaw !== undefined) return `{{${text}}} is ${flaw}`;
	}
	return undefined;
}

/** Says why the option has no usable value for this item; undefined if it has one. */
function findGap(context: IExecuteFunctions, index: number, value: unknown): string | undefined {
	const flaw = typeof value === 'number' ? findFlaw(value) : undefined;
	if (flaw !== undefined) return `it is ${String(value)}, ${flaw}`;
	const isMissing = typeof value === 'string' && MISSING.test(value);
	return findFlawedPart(context, index) ?? (isMissing ? `it is ${quoteValue(value)}` : undefined);
}

/**
 * Reads the option "Idempotency Key". Once added, it must have a value for every item: an empty
 * one is an expression that found nothing, and no other key may take its place.
 *
 * @param options the collection "Options" of the item
 * @returns undefined if the option was not added
 * @throws UserError
 */
export function readUserKey(
	context: IExecuteFunctions,
	index: number,
	options: Record<string, unknown>,
): string | undefined {
	if (!('idempotencyKey' in options)) return undefined;
	const value = options.idempotencyKey;
	// What a header can carry as it stands, so that two keys never become one.
	const key = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	const gap = findGap(context, index, value);
	if (gap === undefined && /^[\x20-\x7e]{1,255}$/.test(key)) return key;
	if (gap === undefined || (typeof value === 'object' && value !== null)) {
		throw new UserError(
			`Idempotency Key is invalid: ${quoteValue(value)}`,
			`"${OPTION}" must be 1 to 255 ASCII characters (letters, digits, punctuation), e.g. an invoice number.`,
		);
	}
	throw new UserError(
		'Idempotency Key has no usable value for this item, so the transfer was not sent',
		`The option "${OPTION}" is set, but ${gap}. Use a value that every item has, ${EXAMPLE}. To let the node create the key, remove the option.`,
	);
}

/** Whether n8n's engine runs this node itself, so that run index and item index are right. */
function isRunByEngine(context: IExecuteFunctions): boolean {
	if ('isToolExecution' in context && context.isToolExecution()) return false;
	// A tool that an agent or the MCP trigger calls has their execute data.
	return context.getExecuteData().node.id === context.getNode().id;
}

/** Why a call that nothing identifies could come again; undefined if it cannot. */
function findCallRefusal(context: IExecuteFunctions): UserError | undefined {
	const node = context.getNode();
	const caller = context.getExecuteData().node;
	if (node.retryOnFail === true) {
		return isRunByEngine(context) ? REFUSALS.noIdentity : REFUSALS.retriedTool;
	}
	const mode = context.getMode();
	if (mode === 'retry') return REFUSALS.retriedExecution;
	if (mode === 'integrated') return REFUSALS.subWorkflow;
	// An agent outside of workflows: a node of a workflow may call it, and n8n repeat that node.
	if (mode === 'internal') return REFUSALS.hiddenCaller;
	if (caller.retryOnFail === true) return REFUSALS.retriedAgent;
	if (caller.id === node.id) return undefined;
	const tools = context.getParentNodes(caller.name, { connectionType: 'ai_tool', depth: 1 });
	return tools.some(({ name }) => name === node.name) ? undefined : REFUSALS.hiddenCaller;
}

const isTool = (context: IExecuteFunctions) => context.getNode().type.endsWith('Tool');

/** Why an item that the engine runs could come again unrecognised; undefined if it cannot. */
function findItemRefusal(context: IExecuteFunctions, journal: Journal): UserError | undefined {
	if (!journal.isComplete) return REFUSALS.retriedExecution;
	const mode = context.getMode();
	if (mode === 'integrated') return REFUSALS.subWorkflow;
	// An agent that is retried asks its model again, which may call the tool at another place.
	return mode === 'retry' && isTool(context) ? REFUSALS.retriedExecution : undefined;
}

/**
 * When n8n started the execution, which tells executions apart whose IDs repeat (a reset database, a
 * cloned n8n). Not for n8n before 2.4: there, in queue mode, a job whose worker crashed may run again
 * under the same ID with another time.
 */
const startOf = (context: IExecuteFunctions): number | undefined =>
	'isToolExecution' in context ? context.getExecutionContext()?.establishedAt : 0;

/** Refuses a transfer that may be the second attempt at an equal one whose outcome is unclear. */
function refuseSecondAttempt({ key }: SentTransfer): never {
	throw new UserError(
		`The transfer was not sent: it is not known whether an equal transfer was already made with Idempotency Key ${key}`,
		`Check in the dashboard whether it was made. To repeat that transfer, run it alone with the option "${OPTION}" set to ${key}: it is made at most once, as long as the API remembers the key. To make another transfer, set the option to a value that is unique to the other transfer.`,
		undefined,
		{ idempotencyKey: key },
	);
}

/** A key that is the same whenever n8n runs this item again, and differs for any other work. */
function deriveKey(
	context: IExecuteFunctions,
	journal: Journal,
	{ place, transfer }: { place: string; transfer: string },
): string {
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

const sentKeys = new SentKeys();

/** The parts of an attempt that do not depend on where the node runs. */
interface AttemptParts {
	/** API and credential that the key is for. */
	scope: string;
	key: string;
	transfer: string;
	/** Whether others may send the same key: the user's, or a repeated tool call. */
	isShared: boolean;
	/** What this item sent before, unless it was refused. */
	before: SentTransfer | undefined;
	advice: string;
}

function startAttempt(context: IExecuteFunctions, parts: AttemptParts): Attempt {
	const { scope, key, transfer, isShared, before, advice } = parts;
	const known = isShared ? sentKeys.find(scope, key) : undefined;
	if (known !== undefined && known.transfer !== transfer) {
		throw new UserError(
			`Idempotency Key ${quoteValue(key)} was already used for another transfer, so nothing was sent`,
			`Each transfer needs a different key: set "${OPTION}" to a value that is unique to this transfer, ${EXAMPLE}. For a second transfer for the same event, add a suffix: {{ … }}-fee.`,
		);
	}
	const earlier = [before, known].filter((record) => record !== undefined);
	const sentAt = before?.sentAt ?? Date.now();
	const caller = callerOf(context);
	const record =
		isShared && known === undefined
			? sentKeys.add(scope, caller, { key, transfer, sentAt })
			: known;
	return {
		key,
		sentAt,
		wasUnclear: earlier.some(({ outcome }) => outcome !== 'made'),
		isRepeat: before === undefined && known?.outcome === 'made',
		advice,
		end: (outcome) => {
			if (record !== undefined) settle(record, outcome);
		},
	};
}

const callerOf = (context: IExecuteFunctions) =>
	`${context.getWorkflow().id ?? ''} ${context.getNode().id}`;

/** What is to be sent, and to which API. */
interface Work {
	baseUrl: string;
	transfer: string;
	userKey: string | undefined;
}

const scopeOf = (context: IExecuteFunctions, baseUrl: string) =>
	`${baseUrl} ${context.getNode().credentials?.cardPlatformApi?.id ?? ''}`;

/** An attempt of a call that n8n neither repeats nor can identify: from an agent, for example. */
function startCall(context: IExecuteFunctions, { baseUrl, transfer, userKey }: Work): Attempt {
	const unclear =
		userKey === undefined ? sentKeys.findUnclear(callerOf(context), transfer) : undefined;
	if (unclear !== undefined) return refuseSecondAttempt(unclear);
	const key = userKey ?? randomUUID();
	return startAttempt(context, {
		scope: scopeOf(context, baseUrl),
		key,
		transfer,
		isShared: true,
		before: undefined,
		advice: `Do not call the tool again for this payment. To send it again safely, run it alone with the option "${OPTION}" set to ${key}: the transfer is made at most once, as long as the API remembers the key.`,
	});
}

/**
 * Refuses the key of another item of the execution, unless the API refused that item: of two payments, only
 * one would be made. A model that calls a tool again with the same key means the same payment.
 */
function refuseSharedKey(
	context: IExecuteFunctions,
	{ items, places }: Journal,
	{ place, key, transfer }: { place: string; key: string; transfer: string },
): void {
	const other = places.get(key);
	const sent = other === undefined || other === place ? undefined : items[other];
	if (sent?.key !== key || sent.outcome === 'refused' || isTool(context)) return;
	if (sent.outcome !== 'made' && sent.transfer === transfer) refuseSecondAttempt(sent);
	throw new UserError(
		`Another item of this execution has the Idempotency Key ${quoteValue(key)}, so this transfer was not sent`,
		`Each transfer needs a different key: set "${OPTION}" to a value that is unique to this transfer, ${EXAMPLE}, or add a suffix: {{ … }}-{{ $itemIndex }}. If both items are the same payment, put a Remove Duplicates node before this one.`,
	);
}

/** An attempt of an item that the engine runs, with its place in the journal of the execution. */
function startItem(
	context: IExecuteFunctions,
	index: number,
	{ baseUrl, transfer, userKey }: Work,
): Attempt {
	const journal = openJournal(context);
	const problem = userKey === undefined ? findItemRefusal(context, journal) : undefined;
	if (problem !== undefined) throw problem;
	const place = `${z.number().parse(context.getWorkflowDataProxy(index).$runIndex)}/${index}`;
	const known = journal.items[place];
	// What the API refused was not made: it may be sent as something else.
	const before = known?.outcome === 'refused' ? undefined : known;
	const key = userKey ?? deriveKey(context, journal, { place, transfer });
	refuseSharedKey(context, journal, { place, key, transfer });
	if (before !== undefined && (before.key !== key || before.transfer !== transfer)) {
		throw new UserError(
			`This item was already sent with Idempotency Key ${before.key}, so it was not sent again with other accounts, another amount or another key`,
			`Check whether that transfer was made. To repeat it safely, retry the execution with the original accounts, amount and "${OPTION}" of this item. To make another transfer, start a new execution.`,
		);
	}
	if (userKey === undefined && before === undefined && journal.hasUnclear) {
		const unclear = Object.values(journal.items).find(
			(record) => record.outcome === 'unclear' && record.transfer === transfer,
		);
		if (unclear !== undefined) return refuseSecondAttempt(unclear);
	}

	const attempt = startAttempt(context, {
		scope: scopeOf(context, baseUrl),
		key,
		transfer,
		isShared: userKey !== undefined,
		before,
		advice: `To send it again safely, choose Executions → Retry and change nothing, or, if n8n does not offer it (stopped executions), run this item alone with the option "${OPTION}" set to ${key}: the transfer is made at most once, as long as the API remembers the key. A new execution without this key could make it twice.`,
	});
	const { sentAt, isRepeat } = attempt;
	const record: SentTransfer = before ?? { key, transfer, sentAt, isRepeat, outcome: 'sent' };
	journal.items[place] = record;
	journal.places.set(key, place);
	return {
		...attempt,
		isRepeat: record.isRepeat === true,
		made: record.made?.[baseUrl],
		end(outcome, response) {
			attempt.end(outcome);
			// Only another API can have made it before: a transfer is not sent again to the one that made it.
			if (outcome === 'unclear') record.outcome = outcome;
			else settle(record, outcome);
			if (response !== undefined) record.made = { ...record.made, [baseUrl]: response };
			journal.hasUnclear ||= outcome === 'unclear';
		},
	};
}

/**
 * Chooses the key of an item's transfer (§4.2): the user's, one derived from what identifies the
 * item in every retry, or, for a call that n8n does not repeat, a random one. docs/transfers.md lists
 * what applies where.
 *
 * @param index of the item
 * @param options `userKey` from {@link readUserKey}; `baseUrl` of the API
 * @throws UserError if n8n could repeat the work unrecognised, or if the key or the item was already
 * used for another transfer
 */
export function openAttempt(
	context: IExecuteFunctions,
	index: number,
	request: TransferRequest,
	{ userKey, baseUrl }: { userKey: string | undefined; baseUrl: string },
): Attempt {
	const transfer = identityOf(request);
	const isIdentified = Boolean(context.getExecutionId()) && startOf(context) !== undefined;
	if (isRunByEngine(context) && isIdentified) {
		return startItem(context, index, { baseUrl, transfer, userKey });
	}
	const problem = userKey === undefined ? findCallRefusal(context) : undefined;
	if (problem !== undefined) throw problem;
	return startCall(context, { baseUrl, transfer, userKey });
}
