import { isBlank, isDataObject, toLine } from '../api/values';
import { EVENT_TYPES, typeOf } from './eventTypes';

type Event = Record<string, unknown>;

/** An amount as it is, never rounded: its thousands grouped by commas, as in the dashboard, and at least two decimals if it has any. */
export const toReadableAmount = (value: unknown): string =>
	toLine(value).replace(
		/^([+-]?)(\d+)(?:\.(\d+))?$/,
		(_, sign: string, whole: string, decimals?: string) =>
			`${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${decimals === undefined ? '' : `.${decimals.padEnd(2, '0')}`}`,
	);

/** Why an event was declined: the reasons of its issues (§2), each once; null if it was not, or none is known. */
export function declineReasonOf({ isSuccess, issues }: Event): string | null {
	if (isSuccess !== false || !Array.isArray(issues)) return null;
	const reasons = issues.map((issue: unknown) => toLine(isDataObject(issue) && issue.reason));
	return [...new Set(reasons)].filter((reason) => reason !== '').join(', ') || null;
}

/** Says in one line how much was spent where: "2,450.00 USD at Elektronik Outlet (RO)". Leaves out what is not known. */
export function describePurchase(purchase: Event): string {
	const merchant = toLine(purchase.merchantName);
	const country = toLine(purchase.merchantCountry);
	const facts = [
		toReadableAmount(purchase.amount),
		isBlank(purchase.amount) ? '' : toLine(purchase.currency),
		merchant === '' ? '' : `at ${merchant}`,
		country === '' ? '' : `(${country})`,
	];
	return facts.filter((fact) => fact !== '').join(' ');
}

/** Says in one line what happened: "Declined: 2,450.00 USD at Elektronik Outlet (RO), suspected fraud". Leaves out what is not known. */
export function summarize(event: Event): string {
	const type = typeOf(event);
	const label = EVENT_TYPES.find(({ value }) => value === type)?.name;
	const happened = [label ?? 'Other event', describePurchase(event)];
	const reason = declineReasonOf(event)?.replaceAll('_', ' ');
	return [happened.filter((part) => part !== '').join(': '), reason]
		.filter((part) => part !== undefined)
		.join(', ');
}
