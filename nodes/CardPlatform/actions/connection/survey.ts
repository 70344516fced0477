import type { IDataObject } from 'n8n-workflow';

import { idOf, type ListPage } from '../../api/list';
import { objectSchema } from '../../api/schemas';
import { UserError } from '../../api/userError';
import type { Api } from '../../transport/client';

/** The fields of an item, in the order of a table: what a person has to read comes first. */
export const COLUMNS = ['question', 'result', 'whatToDo', 'evidence', 'topic', 'section'] as const;

type Row = Record<(typeof COLUMNS)[number], string>;

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

/** Says whether a reply is right, and what that shows. */
type Judge = (reply: Reply, name: string) => Promise<[boolean, string?]> | [boolean, string?];

/** A parameter that is tried, with a value; and the reply without it. */
interface Trial {
	path: string;
	parameter: string;
	value: string;
	base: Reply;
	judge: Judge;
}

/** 60 with the health check and three cards; retries come on top. */
const MAX_LISTS = 56;

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

const NOTHING = 'Nothing';

/** What to do if nothing in the account shows the answer. */
const MORE_RECORDS = 'Nothing, or test again when there are more records.';

/** Stands for all names that are found until the end. */
const PASTE = 'Paste into Parameter Names: ';

/** What to do if no name works. A filter is not sent if the API refuses it, or finds something else. */
const hintWithout = (parameter: string, found: Found): string => {
	if (parameter === 'page' || parameter === 'accountId') return 'Ask your provider for its name.';
	if (parameter === 'sort')
		return 'Nothing with Return All: the node sorts. With a Limit, it fails.';
	if (parameter in NAMES && found !== 'ignored') return PASTE;
	return 'Nothing. The node does it itself, with more requests.';
};

/** Says in one hint whether there is something to set, and where. */
function summarize(items: Row[], paste: string, json: string): string {
	const known = items.filter(({ result }) => result !== 'no data');
	const others = known.filter(({ result }) => result !== 'as assumed');
	const unknown = known.length < items.length ? '; the account has no data for the others' : '';
	if (others.length === 0)
		return `This API behaves as the nodes expect (${known.length} of ${items.length}${unknown}). Nothing to set.`;
	const differ = `${others.length} of ${items.length} answers differ.`;
	if (others.some(({ whatToDo }) => whatToDo === paste))
		return `${differ} Edit the credential, turn on Advanced, paste this into Parameter Names, then test again: ${json}`;
	return others.every(({ whatToDo }) => whatToDo.startsWith(NOTHING))
		? `${differ} Nothing to set: the nodes can do without.`
		: `${differ} The column whatToDo says what to do about each.`;
}

/** Asks the API questions; collects the answers, and the names of parameters that work. */
export class Survey {
	/** Names on the wire: ours, until others are found. "": the parameter is not sent. */
	names: Strings;

	private readonly api: Api;
	private readonly ours: Strings;
	/** Parameters whose other names have been tried with a list, or need not be. */
	private readonly known = new Set<string>();
	private readonly items: Row[] = [];
	private sent = 0;

	constructor(api: Api) {
		this.api = api;
		this.ours = api.config.parameterNames;
		this.names = { ...this.ours };
	}

	/** Asks about a section of docs/assumptions.md and a topic, e.g. "4.3 cards". If that fails, others can go on. */
	async ask(about: string, question: string, find: () => Promise<Answer> | Answer): Promise<void> {
		const toAnswer = (error: unknown): Answer => {
			if (!(error instanceof UserError)) throw error;
			const isRefused = error.isFromApi && Number(error.httpCode) < 429;
			return [isRefused ? 'refused' : 'failed', error.message, error.hint];
		};
		const answer = await Promise.resolve().then(find).catch(toAnswer);
		const noData = ['no data', 'too few records to tell', MORE_RECORDS] as const;
		const [found, evidence, hint = 'Ask your provider.'] = answer ?? noData;
		const result = found === true ? 'as assumed' : found || 'different';
		const whatToDo = found === true ? NOTHING : hint;
		const [section = '', topic = ''] = about.split(' ');
		this.items.push({ question, result, whatToDo, evidence, topic, section });
	}

	/** Gets a page of a list: an empty one if the API refuses it with one of some statuses. */
	async get(path: string, query: Strings = {}, refusals = ''): Promise<Reply> {
		if (++this.sent > MAX_LISTS) {
			const hint = 'Set the names that work, and run it again.';
			throw new UserError('Not asked: the test has sent all its requests', hint);
		}
		let refusal: string | undefined;
		const toPage = (error: unknown): ListPage<IDataObject> => {
			const { httpCode = '-', isFromApi = false } = error instanceof UserError ? error : {};
			if (!isFromApi || !refusals.includes(httpCode)) throw error;
			refusal = `got ${httpCode}`;
			return { items: [] };
		};
		const page = await this.api.page(path, { custom: query }, objectSchema).catch(toPage);
		const { length } = page.items;
		const got = refusal ?? `got ${length} record${length === 1 ? '' : 's'}`;
		return { ...page, query, ids: page.items.map(idOf), got, isRefused: refusal !== undefined };
	}

	/** Asks whether a parameter works, under our name or another. `base` is the reply without it; undefined if nothing shows it. */
	async tryOut(
		about: string,
		[parameter, value]: readonly [parameter: string, value: string],
		base: Reply | undefined,
		judge: Judge,
	): Promise<void> {
		await this.ask(about, `Does ${parameter} work?`, async () => {
			const own = this.names[parameter] ?? parameter;
			if (base === undefined) return undefined;
			if (own === '' || value === '') {
				return ['no data', 'not asked: no name or value is set', NOTHING];
			}
			const path = about.replace(/.* /, '/');
			return await this.findName({ path, parameter, value, base, judge }, own);
		});
	}

	/** Gives the items in the order of the output, and a summary. */
	finish() {
		const changed = Object.entries(this.names).filter(([own, name]) => own !== name);
		// With spaces, so that the table can break the line.
		const json = JSON.stringify(Object.fromEntries(changed)).replaceAll(',', ', ');
		const paste = PASTE + json;
		const all = this.items
			.map((item) => (item.whatToDo === PASTE ? { ...item, whatToDo: paste } : item))
			.sort((a, b) => a.section.localeCompare(b.section, 'en', { numeric: true }));
		const items = RESULTS.flatMap((name) => all.filter(({ result }) => result === name));
		return { items, summary: summarize(items, paste, json) };
	}

	/** Finds the name under which a parameter works: ours, or another usual one. */
	private async findName(trial: Trial, own: string): Promise<Answer> {
		const { parameter, value } = trial;
		const [found, got] = await this.attempt(trial, [own]);
		const evidence = `asked for ${value.replace(/^\d{4}-.*/, 'the date of a record')} ${got}`;
		const hasOthers = found !== false && !this.known.has(parameter);
		this.known.add(parameter);
		if (found === true) return [own === (this.ours[parameter] ?? own), evidence, PASTE];
		for (const name of hasOthers ? await this.otherNames(trial, own, found) : []) {
			const [isFound, other] = await this.attempt(trial, [name]);
			if (isFound !== true) continue;
			this.names = { ...this.names, [parameter]: name };
			return [false, `${evidence}; ${other}`, PASTE];
		}
		const hint = hintWithout(parameter, found);
		if (hint === PASTE) this.names = { ...this.names, [parameter]: '' };
		return [found, evidence, hint];
	}

	/** The other usual names. Where unknown names are ignored, one request shows whether any of them has an effect. */
	private async otherNames(trial: Trial, own: string, found: Found): Promise<string[]> {
		const others = (NAMES[trial.parameter] ?? own).split(' ').filter((name) => name !== own);
		const isMute = found === 'ignored' && others.length > 0;
		return isMute && (await this.attempt(trial, others))[0] === 'ignored' ? [] : others;
	}

	/** Sends a value under some names at once. */
	private async attempt(
		{ path, parameter, value, base, judge }: Trial,
		tried: string[],
	): Promise<[Found, string]> {
		const query = { ...base.query, ...Object.fromEntries(tried.map((each) => [each, value])) };
		let reply = await this.get(path, query, '400 422');
		// An API may refuse a page size without a page.
		if (reply.isRefused && parameter === 'pageSize' && this.names.page)
			reply = await this.get(path, { ...query, [this.names.page]: '1' }, '400 422');
		const [name = ''] = tried;
		if (reply.isRefused) return ['refused', `with ${name}, ${reply.got}`];
		const [isRight, got = reply.got] = await judge(reply, name);
		const isIgnored = !isRight && String(reply.ids) === String(base.ids);
		return [isIgnored ? 'ignored' : isRight, `with ${name}, ${got}`];
	}
}
