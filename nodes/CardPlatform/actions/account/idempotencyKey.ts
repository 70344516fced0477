import { ExpressionParser } from 'n8n-workflow';

import { MAX_KEY_LENGTH } from '../../api/assumptions';
import { text } from '../../api/field';
import { UserError } from '../../api/userError';
import { isBlank, quoteValue, toText } from '../../api/values';
import type { Item } from '../operation';
import { isToolType } from './journal';

/** What makes a payment unique, and repeats of it the same (§4.2). */
export const keyField = text(
	{
		displayName: 'Idempotency Key',
		name: 'idempotencyKey',
		required: true,
		placeholder: 'e.g. {{ $json.invoiceNumber }}',
		description:
			'What makes this payment unique and stays the same when it is repeated, such as an invoice number. Each {{ }} is one field, or one date.',
	},
	(value) => value,
);

type Chunk = ReturnType<typeof ExpressionParser.splitExpression>[number];

const quoted = (escaped: string) =>
	String.raw`(?:'(?:[^'\\]|\\${escaped})*'|"(?:[^"\\]|\\${escaped})*")`;
/** Another escape could spell what is refused by its name. */
const QUOTED = quoted(String.raw`['"\\]`);
const PATH = String.raw`(?:\??\.[\p{L}_$][\p{L}\p{N}_$]*|(?:\?\.)?\[\s*(?:\d+|${QUOTED})\s*\])+`;
/** A field of the item itself. The first item of a node, or one by its index ($node["…"]), is that of several items. */
const FIELD = String.raw`(?:\$json|\$input\.item\??\.json|\$\(${QUOTED}\)\.item\??\.json)${PATH}|\$workflow\.(?:id|name)`;
/** The formats of a date (Luxon): of fixed width, and no unit without the longer ones that it repeats in. */
const [S, MM] = ['[-./_ ]?', '(?:MM|LL)'];
const FORMAT = `(?:yyyy(?:${S}(?:q|ooo|${MM}(?:${S}dd)?))?|(?:dd${S})?${MM}${S}yyyy|${MM}${S}dd${S}yyyy|kkkk${S}WW)`;
const DATE = String.raw`\$(?:now|today)\.(?:toISODate\(\)|(?:toFormat|format)\(\s*(?:'${FORMAT}'|"${FORMAT}")\s*\))`;
/** All that a {{ }} may be, but the length of a string or list: two items may have the same. */
const ONE_VALUE = new RegExp(String.raw`^(?:${FIELD}|${DATE})(?<!\blength(?:['"]\s*\])?)$`, 'u');
/** As the editor writes it, with a description and a type. */
const FROM_AI = new RegExp(
	String.raw`^(?:/\*n8n-auto-generated-fromAI-override\*/\s*)?\$from(?:AI|Ai|ai)\(\s*${QUOTED}(?:\s*,\s*(?:${quoted('.')}|\x60(?:[^\x60\\]|\\.)*\x60)){0,2}\s*\)$`,
);

/**
 * Finds the first part of an expression that breaks the rule: a {{ }} that is not one value, the same whenever n8n or a
 * person repeats a payment; or nothing but digits between two of them, as 1 and 23 join like 12 and 3.
 */
const findFault = (chunks: Chunk[], isTool: boolean): Chunk | undefined =>
	chunks.find(({ type, text: part }, at) => {
		const code = part.trim();
		// Outside of a tool, n8n gives the first item's field for every item.
		if (type === 'code') return !ONE_VALUE.test(code) && !(isTool && FROM_AI.test(code));
		return at > 0 && at < chunks.length - 1 && /^\d*$/.test(part);
	});

/** What programs, people and models write for nothing, and for a number that they have rounded. */
const NOTHING = new RegExp(
	`^(?:${[
		// Blank, 0, the ID of zeros, or signs only.
		String.raw`[0\W_]*`,
		// INV- and -fee, whose other half is missing; (null); #REF! and #NV of spreadsheets.
		String.raw`[-_/#:.]+[a-z]{1,8}|[a-z]{1,8} ?[-_/#:]+`,
		String.raw`[([{<](?:null|none|empty|blank|undefined|unknown|object object)[)\]}>]|#[a-z_/]+[!?]?`,
		'#div/0!|null|none|nil|nan|n/a|n\\.a\\.?|loading\\W*|undefined|infinity|invalid( .*)?',
		'unknown|missing|empty|blank|tb[acd]|todo|true|false|string|placeholder',
		String.raw`[+-]?(?:\d+[.,]\d+e[+-]?|\de[+-])\d+`,
	].join('|')})$`,
	'is',
);

/** Words for nothing that may also be the code of a country, or the name of a customer: beside another {{ }}, they are a part of a key. */
const UNCLEAR = /^(?:na|nv|no|yes|not?[ _-][a-z]+|number|text|value|key|id|example)$/i;

const isUsable = (value: unknown, isAlone: boolean): boolean => {
	if (typeof value !== 'string' && !Number.isSafeInteger(value)) return false;
	const word = String(value).trim();
	return !NOTHING.test(word) && !(isAlone && UNCLEAR.test(word));
};

/** One element of what, if not a list, may be a string: its first character is that of others, too. */
const ELEMENT = /^(.+?)(?:\?\.)?\[\s*(['"]?)\d+\2\s*\]$/s;

const refuse = (what: string, value: unknown, hint: string) =>
	new UserError(
		`Idempotency Key has ${what}, so the transfer was not sent: ${quoteValue(value)}`,
		hint,
	);

/** Reads the parts of an expression, or says what to write instead. */
function readChunks(expression: string, isTool: boolean): Chunk[] {
	const chunks = ExpressionParser.splitExpression(expression);
	const fault = findFault(chunks, isTool);
	if (fault === undefined) return chunks;
	const [what, value] =
		fault.type === 'text'
			? ['two {{ }} with no sign between them', expression]
			: ['an expression that is not one field or date', fault.text.trim()];
	throw refuse(
		what,
		value,
		"In each {{ }}, use one field, such as {{ $json.invoiceNumber }}, or a date, such as {{ $now.toFormat('yyyy-MM') }}; in a tool, {{ $fromAI('paymentId') }}. Fixed text stands outside: INV-{{ $json.number }}-fee. Compute anything else in a node before this one (Edit Fields), and use its field.",
	);
}

/**
 * Reads the key, which must differ for each payment, and be the same whenever n8n repeats one.
 *
 * @throws UserError for a key that may change, or that several payments could share
 */
export function readKey({ context, index, get }: Item): string {
	const { parameters, type: nodeType } = context.getNode();
	const [, expression = ''] = /^=(.*)$/s.exec(toText(parameters.idempotencyKey) ?? '') ?? [];
	const chunks = readChunks(expression, isToolType(nodeType));
	const value = get(keyField);
	if (isBlank(value)) {
		throw new UserError(
			'Idempotency Key is empty',
			'This item moved no money. Enter what stays the same when this payment is repeated, such as an invoice number.',
		);
	}
	const codes = chunks.filter(({ type }) => type === 'code');
	const evaluate = (chunk: Chunk): unknown =>
		context.evaluateExpression(ExpressionParser.joinExpression([chunk]), index);
	const isUsablePart = (chunk: Chunk) => {
		const list = ELEMENT.exec(chunk.text.trim())?.[1];
		const isList = list === undefined || typeof evaluate({ ...chunk, text: list }) !== 'string';
		return isList && isUsable(evaluate(chunk), codes.length === 1);
	};
	const key = String(value).trim();
	// n8n leaves out what it does not find: INV-{{ $json.invoice }} is "INV-".
	const areUsable = codes.length > 0 ? codes.every(isUsablePart) : isUsable(value, true);
	if (!areUsable || key.length > MAX_KEY_LENGTH) {
		throw refuse(
			'no usable value for this item',
			value,
			`Each {{ }} needs a value in every item: not 0, and not a word such as null or unknown. The key has at most ${MAX_KEY_LENGTH} characters. JavaScript rounds a number of more than 15 digits: put quotes around it in the JSON that it comes from.`,
		);
	}
	// Only characters that a header carries unchanged: two keys must never become one.
	const other = /[^\x20-\x7e]/u.exec(key)?.[0];
	if (other === undefined) return key;
	throw refuse(
		`the character ${quoteValue(other)}`,
		value,
		'The key may have only letters from A to Z (in either case), digits, spaces and punctuation. Encode the value in a node before this one (Edit Fields), such as {{ encodeURIComponent($json.name) }}, and use its field.',
	);
}
