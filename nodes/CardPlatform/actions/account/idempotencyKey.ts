import { createHash } from 'node:crypto';

import { ExpressionParser, type IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { UserError } from '../../api/userError';
import { isBlank, quoteValue } from '../../api/values';
import { type Journal, modeOf, nodeIdentity } from './journal';

/** What is to be transferred. */
export interface TransferRequest {
	from: number;
	to: number;
	/** Decimal string in USD. */
	amount: string;
}

/** Whether an agent or the MCP Server Trigger calls this node, or anything else but n8n's engine. */
function isTool(context: IExecuteFunctions): boolean {
	const node = context.getNode();
	return node.type.endsWith('Tool') || context.getExecuteData().node.id !== node.id;
}

/** An expression for the option, for where the node runs. */
function exampleFor(context: IExecuteFunctions): string {
	if (isTool(context)) {
		return "{{ $fromAI('paymentId', 'A unique ID of this payment, such as the invoice number') }}";
	}
	return modeOf(context) === 'integrated'
		? "{{ $('When Executed by Another Workflow').item.json.invoiceNumber }}"
		: "{{ $('Card Platform Trigger').item.json.id }}, or {{ $('Your Trigger').item.json.invoiceNumber }}";
}

const rawOptionSchema = z.object({
	options: z.object({ idempotencyKey: z.string().startsWith('=') }),
});

/** Says why a value can be neither a key nor a part of one: two payments could share it. */
function findFlaw(value: unknown): string | undefined {
	if (Number.isFinite(value)) {
		return Number.isSafeInteger(value)
			? undefined
			: 'a number that may be rounded, so two payments could share a key: put it in quotes in the JSON that it comes from';
	}
	return typeof value === 'string' && !isBlank(value)
		? undefined
		: 'empty, or neither a string nor a number';
}

/** What JavaScript writes for a value that is missing, as in {{ 'INV-' + $json.invoice }}. */
const MISSING = /(^|[^A-Za-z])(undefined|null|NaN)([^A-Za-z]|$)|\[object /;

/** Names what is wrong with the value of the option, or with a part of it, as in INV-{{ $json.invoice }}. */
function describeFlaw(
	context: IExecuteFunctions,
	index: number,
	value: unknown,
): string | undefined {
	const flaw = findFlaw(value);
	if (flaw !== undefined) return `it is ${quoteValue(value)}, ${flaw}`;
	const raw = rawOptionSchema.safeParse(context.getNode().parameters);
	const parts = ExpressionParser.splitExpression(raw.data?.options.idempotencyKey ?? '');
	for (const { text } of parts.filter(({ type }) => type === 'code')) {
		const partFlaw = findFlaw(context.evaluateExpression(`{{${text}}}`, index));
		if (partFlaw !== undefined) return `{{${text}}} is ${partFlaw}`;
	}
	return MISSING.test(String(value)) ? `it is ${quoteValue(value)}` : undefined;
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
	const flaw = describeFlaw(context, index, value);
	if (flaw !== undefined) {
		throw new UserError(
			'Idempotency Key has no usable value for this item, so the transfer was not sent',
			`The option "Idempotency Key" is set, but ${flaw}. Use a value that every item has, e.g. ${exampleFor(context)}.`,
		);
	}
	const key = String(value).trim();
	// What a header can carry as it stands, so that two keys never become one.
	if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
	throw new UserError(
		`Idempotency Key is invalid: ${quoteValue(value)}`,
		'"Idempotency Key" must be 1 to 255 ASCII characters (letters, digits, punctuation), e.g. an invoice number.',
	);
}

/** Which item of which node this is, whenever n8n runs it again; undefined for a tool, as its indexes differ in each attempt. */
export function positionOf(context: IExecuteFunctions, index: number): string | undefined {
	if (isTool(context)) return undefined;
	const run = z.number().parse(context.getWorkflowDataProxy(index).$runIndex);
	return `${nodeIdentity(context)} ${run}/${index}`;
}

/**
 * Modes of the executions that n8n repeats as Executions → Retry only, with their journal. Left out: `retry` (the
 * first execution has no journal), `integrated` (sub-workflows), `cli` (execute-batch has --retries), `internal`
 * and `agent`.
 */
const MAIN_PATH_MODES = ['chat', 'error', 'evaluation', 'manual', 'trigger', 'webhook'];

/**
 * When n8n started the execution, which tells executions apart whose IDs repeat (a reset database, a
 * cloned n8n). Not before n8n 2.3: in queue mode, n8n 1 may run the job of a crashed worker again, under the
 * same ID with another time, and nothing shows that n8n 2.0 to 2.2 is not n8n 1.
 */
const startOf = (context: IExecuteFunctions): number | undefined =>
	'isToolExecution' in context ? context.getExecutionContext()?.establishedAt : 0;

function keyRequired(context: IExecuteFunctions): UserError {
	const check =
		context.getMode() === 'retry'
			? 'First check whether an earlier execution made this transfer: with another key, it is made again. '
			: '';
	return new UserError(
		'Idempotency Key is required here, so the transfer was not sent',
		`${check}n8n could repeat this work without the node noticing, and the transfer would be made twice. Add the option "Idempotency Key", with a value that is unique to this payment and the same if it is repeated, e.g. ${exampleFor(context)}.`,
	);
}

/** A UUID of version 8 that is the same for the same parts. */
function hashToUuid(parts: unknown[]): string {
	const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
	return [
		hex.slice(0, 8),
		hex.slice(8, 12),
		`8${hex.slice(13, 16)}`,
		`8${hex.slice(17, 20)}`,
		hex.slice(20, 32),
	].join('-');
}

/**
 * Creates a key that is the same whenever n8n runs this item again, and differs for any other work (§4.2).
 * That is possible only where n8n's engine runs the item itself: docs/transfers.md lists where.
 *
 * @param position from {@link positionOf}
 * @throws UserError anywhere else
 */
export function deriveKey(
	context: IExecuteFunctions,
	position: string | undefined,
	journal: Journal,
	{ from, to, amount }: TransferRequest,
): string {
	const { executionId, mode = '' } = journal.origins[nodeIdentity(context)] ?? {};
	const start = startOf(context);
	const isMainPath = MAIN_PATH_MODES.includes(mode) && position !== undefined;
	if (!isMainPath || !executionId || start === undefined) throw keyRequired(context);
	return hashToUuid([
		context.getInstanceId(),
		context.getWorkflow().id,
		executionId,
		start,
		position,
		`${from} ${to} ${amount}`,
	]);
}
