import { ExpressionParser } from 'n8n-workflow';

import { text } from '../../api/field';
import { UserError } from '../../api/userError';
import { emptyField, isBlank, quoteValue } from '../../api/values';
import type { Item } from '../operation';

/** What makes a payment unique, and repeats of it the same (§4.2). */
export const keyField = text(
	{
		displayName: 'Idempotency Key',
		name: 'idempotencyKey',
		required: true,
		placeholder: 'e.g. {{ $json.invoiceNumber }}',
		description:
			"What makes this payment unique: an invoice number, or the ID of the event. Each {{ }} is one field, or a date: with topup-{{ $now.toFormat('yyyy-MM') }}, a second run in the same month repeats the payment of the month. Repeats move no money as long as the API remembers the key: ask your provider how long that is.",
	},
	(value) => value,
);

const QUOTED = String.raw`(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")`;
const PATH = String.raw`(?:\.[\p{L}_$][\p{L}\p{N}_$]*|\[(?:\d+|${QUOTED})\])+`;
/** The letters of Luxon for year, quarter, month, week and day, and what stands between them. */
const DAYS = String.raw`[ykqLMWdo\d\s./_:,-]+`;
/** As the editor writes it, with a description and a type. */
const FROM_AI = String.raw`(?:/\*n8n-auto-generated-fromAI-override\*/\s*)?\$fromAI\(\s*${QUOTED}(?:\s*,\s*(?:${QUOTED}|\x60(?:[^\x60\\]|\\.)*\x60)){0,2}\s*\)`;

/** All that a {{ }} may be. Each gives the same when n8n, or a person, repeats a payment: one field, or one date. */
const ONE_VALUE = [
	String.raw`(?:\$json|\$input\.item\.json|\$\(${QUOTED}\)\.(?:item|first\(\))\.json)${PATH}`,
	String.raw`\$workflow\.(?:id|name)`,
	String.raw`\$(?:now|today)\.(?:toISODate\(\)|toFormat\((?:'${DAYS}'|"${DAYS}")\))`,
	FROM_AI,
].map((each) => new RegExp(`^${each}$`, 'u'));

/** What programs and spreadsheets write for nothing, and for a number that they have rounded. */
const NOTHING =
	/^(#(?!\d).*|-+|null|none|nil|nan|n\/a|na|nv|undefined|[+-]?infinity|invalid .*|loading(\.*|…)|\[object .*|[+-]?\d+([.,]\d+e[+-]?|e[+-])\d+)$/is;

const isUsable = (value: unknown): boolean =>
	typeof value === 'string'
		? !isBlank(value) && !NOTHING.test(value.trim())
		: Number.isSafeInteger(value);

/**
 * Reads the key, which must differ for each payment, and be the same whenever n8n repeats one.
 *
 * @throws UserError for a key that may change, or that several payments could share
 */
export function readKey({ context, index, get }: Item): string {
	const raw = context.getNode().parameters.idempotencyKey;
	const expression = typeof raw === 'string' && raw.startsWith('=') ? raw : '';
	const codes = ExpressionParser.splitExpression(expression)
		.filter(({ type }) => type === 'code')
		.map((each) => each.text.trim());
	const other = codes.find((code) => !ONE_VALUE.some((allowed) => allowed.test(code)));
	if (other !== undefined) {
		throw new UserError(
			`Idempotency Key has an expression that is not one field or date, so the transfer was not sent: ${quoteValue(other)}`,
			"In each {{ }}, use one field, such as {{ $json.invoiceNumber }}, or a date, such as {{ $now.toFormat('yyyy-MM') }}; in a tool, {{ $fromAI('paymentId') }}. Compute anything else in a node before this one (Edit Fields), and use its field.",
		);
	}
	const value = get(keyField);
	if (isBlank(value)) throw emptyField('Idempotency Key');
	// n8n leaves out what it does not find: INV-{{ $json.invoice }} is "INV-".
	const evaluate = (code: string): unknown => context.evaluateExpression(`{{ ${code} }}`, index);
	const parts = codes.length > 0 ? codes.map(evaluate) : [value];
	const key = String(value).trim();
	// Only characters that a header carries unchanged: two keys must never become one.
	if (parts.every(isUsable) && /^[\x20-\x7e]{1,255}$/.test(key)) return key;
	throw new UserError(
		`Idempotency Key has no usable value for this item, so the transfer was not sent: ${quoteValue(value)}`,
		'Each {{ }} needs a value that every item has, and the key 1 to 255 ASCII characters (letters, digits, punctuation). Put a number of more than 15 digits in quotes in the JSON that it comes from, as JavaScript rounds it.',
	);
}
