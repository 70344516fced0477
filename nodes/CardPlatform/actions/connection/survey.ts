import type { IDataObject } from 'n8n-workflow';

import { idOf, type ListPage } from '../../api/list';
import { objectSchema } from '../../api/schemas';
import { UserError } from '../../api/userError';
import type { Api } from '../../transport/client';

/** The fields of an item. */
export const COLUMNS = ['topic', 'question', 'result', 'evidence', 'whatToDo', 'section'] as const;

/** In the order of the output: what needs attention comes first. */
const RESULTS = ['different', 'refused', 'ignored', 'failed', 'as assumed', 'no data'] as const;

/** True: as assumed; false: different. */
type Found = boolean | (typeof RESULTS)[number];

/** Undefined: nothing shows it. The evidence has nothing of a record but its ID. */
type Answer = readonly [found: Found, evidence: string, whatToDo?: string] | undefined;

type Strings = Record<string, string>;

/** What the API sent; `got` says it in words. */
export interface Reply extends ListPage<IDataObject> {
	query: Strings;
	ids: unknown[];
	got: string;
	isRefused: boolean;
}

/** Asks the API questions; collects the answers, and the names of parameters that work. */
export type Survey = ReturnType<typeof createSurvey>;

/** 60 with the health check and three cards; retries come on top. */
const MAX_LISTS = 56;

/** Usual names of each parameter. */
const NAMES: Strings = {
	page: 'page page_number pageNumber page[number] pageIndex',
	pageSize: 'pageSize page_size per_page perPage limit size page[size]',
	sort: 'sort sort_direction sortDirection order direction sort_order sortOrder',
	createdAfter: 'createdAfter created_after createdFrom created_from from since start_date',
	createdBefore: 'createdBefore created_before createdTo created_to to until end_date',
	cardId: 'cardId card_id card cardIds',
	status: 'status state statuses status[]',
	accountId: 'accountId account_id account account-id',
};

/** Stands for all names that are found until the end. */
const PASTE = 'Paste into Parameter Names: ';

/** What to do if no name works. A filter is not sent if the API refuses it, or finds something else. */
const hintWithout = (parameter: string, found: Found): string => {
	if (parameter === 'page' || parameter === 'accountId') return 'Ask your provider for its name.';
	if (parameter === 'sort')
		return 'Nothing with Return All: the node sorts. With a Limit, it fails.';
	if (parameter in NAMES && found !== 'ignored') return PASTE;
	return 'Nothing: the node does it by itself, with more requests.';
};

/** Starts to ask an API. */
export function createSurvey(api: Api) {
	const ours: Strings = api.config.parameterNames;
	/** Names on the wire: ours, until others are found. "": the parameter is not sent. */
	const names = { ...ours };
	/** Parameters whose other names have been tried with a list, or need not be. */
	const known = new Set<string>();
	const items: Record<(typeof COLUMNS)[number], string>[] = [];
	let sent = 0;

	/** Asks about a section of docs/assumptions.md and a topic, e.g. "4.3 cards". If that fails, others can go on. */
	const ask = async (about: string, question: string, find: () => Promise<Answer> | Answer) => {
		const toAnswer = (error: unknown): Answer => {
			if (!(error instanceof UserError)) throw error;
			const isRefused = error.isFromApi && Number(error.httpCode) < 429;
			return [isRefused ? 'refused' : 'failed', error.message, error.hint];
		};
		const answer = await Promise.resolve().then(find).catch(toAnswer);
		const noData = ['no data', 'too few records to tell', ''] as const;
		const [found, evidence, hint = 'Ask your provider.'] = answer ?? noData;
		const result = found === true ? 'as assumed' : found || 'different';
		const whatToDo = found === true ? '' : hint;
		const [section = '', topic = ''] = about.split(' ');
		items.push({ topic, question, result, evidence, whatToDo, section });
	};

	/** Gets a page of a list: an empty one if the API refuses it with one of some statuses. */
	const get = async (path: string, query: Strings = {}, refusals = ''): Promise<Reply> => {
		if (++sent > MAX_LISTS) {
			const hint = 'Set the names that work, and run it again.';
			throw new UserError('Not asked: enough requests were sent', hint);
		}
		let refusal: string | undefined;
		const toPage = (error: unknown): ListPage<IDataObject> => {
			const { httpCode = '-', isFromApi = false } = error instanceof UserError ? error : {};
			if (!isFromApi || !refusals.includes(httpCode)) throw error;
			refusal = `got ${httpCode}`;
			return { items: [] };
		};
		const page = await api.page(path, { custom: query }, objectSchema).catch(toPage);
		const { length } = page.items;
		const got = refusal ?? `got ${length} record${length === 1 ? '' : 's'}`;
		return { ...page, query, ids: page.items.map(idOf), got, isRefused: refusal !== undefined };
	};

	/**
	 * Asks whether a parameter works, under our name or another: whether a reply is right, and what that shows.
	 *
	 * @param base the reply without the parameter; undefined if nothing shows it
	 */
	const tryOut = async (
		about: string,
		[parameter, value]: readonly [parameter: string, value: string],
		base: Reply | undefined,
		judge: (reply: Reply, name: string) => Promise<[boolean, string?]> | [boolean, string?],
	) =>
		await ask(about, `Does ${parameter} work?`, async () => {
			const own = names[parameter] ?? parameter;
			if (base === undefined) return undefined;
			if (own === '' || value === '') return ['no data', 'not asked: no name or value is set', ''];
			const attempt = async (tried: string[]): Promise<[Found, string]> => {
				const query = { ...base.query, ...Object.fromEntries(tried.map((each) => [each, value])) };
				const path = about.replace(/.* /, '/');
				let reply = await get(path, query, '400 422');
				// An API may refuse a page size without a page.
				if (reply.isRefused && parameter === 'pageSize' && names.page)
					reply = await get(path, { ...query, [names.page]: '1' }, '400 422');
				const [name = ''] = tried;
				if (reply.isRefused) return ['refused', `with ${name}, ${reply.got}`];
				const [isRight, got = reply.got] = await judge(reply, name);
				const isIgnored = !isRight && String(reply.ids) === String(base.ids);
				return [isIgnored ? 'ignored' : isRight, `with ${name}, ${got}`];
			};
			const [found, got] = await attempt([own]);
			const evidence = `asked for ${value.replace(/^\d{4}-.*/, 'the date of a record')} ${got}`;
			let others = (NAMES[parameter] ?? own).split(' ').filter((name) => name !== own);
			if (found === false || known.has(parameter)) others = [];
			known.add(parameter);
			if (found === true) return [own === (ours[parameter] ?? own), evidence, PASTE];
			// Where unknown names are ignored, one request shows whether any of them has an effect.
			const isMute = found === 'ignored' && others.length > 0;
			if (isMute && (await attempt(others))[0] === 'ignored') others = [];
			for (const name of others) {
				const [isFound, other] = await attempt([name]);
				if (isFound !== true) continue;
				names[parameter] = name;
				return [false, `${evidence}; ${other}`, PASTE];
			}
			const hint = hintWithout(parameter, found);
			if (hint === PASTE) names[parameter] = '';
			return [found, evidence, hint];
		});

	/** Gives the items in the order of the output, and a summary. */
	const finish = () => {
		const changed = Object.entries(names).filter(([own, name]) => own !== name);
		// With spaces, so that the table can break the line.
		const json = JSON.stringify(Object.fromEntries(changed)).replaceAll(',', ', ');
		const paste = PASTE + json;
		const all = items
			.map((item) => (item.whatToDo === PASTE ? { ...item, whatToDo: paste } : item))
			.sort((a, b) => a.section.localeCompare(b.section, 'en', { numeric: true }));
		const groups = RESULTS.map((name) => all.filter(({ result }) => result === name));
		const counts = groups.map(({ length }, index) => `${length} ${RESULTS[index]}`);
		const summary = counts.filter((count) => !count.startsWith('0 ')).join(', ');
		const isChanged = all.some(({ whatToDo }) => whatToDo === paste);
		return { items: groups.flat(), summary: isChanged ? `${summary}. ${paste}` : summary };
	};
	return { names, ask, get, tryOut, finish };
}
