import { MAX_PAGE_SIZE } from '../api/assumptions';
import { UserError } from '../api/userError';

// Why what came of a list may not be the list, and what to do.

const SET_PAGE =
	'Set the name that the API uses in the Card Platform API credential under Advanced, Parameter Names, e.g. {"page": "page_number"}.';
const SHORTER = 'with Filters (in a trigger: lower "Look Back", where it has that option)';
const AGAIN = 'Run this again: the list may have changed during the read.';

export const wrongPage = (asked: number, sent = 0): UserError =>
	new UserError(
		`The API sent page ${sent} in place of page ${asked}, so the rest of the list cannot be read`,
		`The API does not recognize the page parameter. ${SET_PAGE}`,
	);

export const samePage = (): UserError =>
	new UserError(
		'The API sent the same page twice, so the rest of the list cannot be read',
		`Run this again: ${MAX_PAGE_SIZE} records may have been added at once. If it happens again, the API does not recognize the page parameter. ${SET_PAGE} If Connection: Test API says that the API ignores it, shorten the list to one page ${SHORTER}, and set {"page": ""}.`,
	);

export const notFirst = (): UserError =>
	new UserError(
		'Page 1 is not the first page, so the rest of the list cannot be read',
		`Run this again: the first record may have left the list. If it happens again, the page parameter of the API seems to count from 0, or to count records. If the API has another one, which counts pages from 1: ${SET_PAGE} If not, shorten the list to one page ${SHORTER}.`,
	);

export const noPageParameter = (count: number): UserError =>
	new UserError(
		`The API sent a full page of ${count} records, so there may be more that cannot be read`,
		`Parameter Names in the Card Platform API credential (under Advanced) has no name for the page parameter, so the node reads only one page. Set its name, e.g. {"page": "page_number"}. If the API has no page parameter, shorten the list ${SHORTER}, or set a Limit no higher than the number sent.`,
	);

export const emptyPage = (number: number, totalPages: number): UserError =>
	new UserError(
		`The API sent an empty page ${number} of ${totalPages}, so records may be missing`,
		`${AGAIN} If it happens again, shorten the list ${SHORTER}, and tell your provider.`,
	);

export const endsAtCap = (count: number): UserError =>
	new UserError(
		`The list ends after ${count} records, where the API stops counting, so there may be more`,
		`The API probably lists no more than that at once. Shorten the list ${SHORTER}, or set a Limit no higher than the number sent.`,
	);

export const saysMore = (): UserError =>
	new UserError(
		'The list ended, although the API says that it has more',
		`${AGAIN} If it happens again, the API seems to have other pages than this node knows: shorten the list ${SHORTER}, or set a Limit, and tell your provider.`,
	);

export const miscounted = (sent: number, total: number): UserError =>
	new UserError(
		`The API sent only ${sent} of the ${total} records in this list`,
		`${AGAIN} If the numbers stay the same, the total of the API is wrong: set a Limit no higher than the number sent, and tell your provider. Or check Parameter Names in the Card Platform API credential (under Advanced): if the name of the page parameter is empty there, the node reads only one page.`,
	);

export const recordsRemoved = (): UserError =>
	new UserError(
		'Records disappeared from the list during each read, so others may be missing',
		`When a record leaves the list, the records after it can move to pages that were already read. Run this again at a quieter time, or shorten the list ${SHORTER}.`,
	);

export const endless = (pages: number): UserError =>
	new UserError(
		`The list does not end: ${pages} pages were read`,
		`Shorten it ${SHORTER}. If it is not that long, the API does not recognize the page parameter. ${SET_PAGE}`,
	);

export const notSorted = (): UserError =>
	new UserError(
		'The API ignored the sort order, so Limit would return the wrong records',
		'The API does not recognize the sort parameter. Set the name that the API uses in the Card Platform API credential under Advanced, Parameter Names, e.g. {"sort": "order"}. Or turn on Return All: then this node sorts the list.',
	);

/** The hint on a list that may be longer, as far as its words can be understood. */
export const mayBeLonger = (count: number): string =>
	`The API sent ${count} records, no others for page 2, and fields beside the list that this node does not know. If records are missing, tell your provider.`;
