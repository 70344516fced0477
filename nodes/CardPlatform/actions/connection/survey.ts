import type { IDataObject } from 'n8n-workflow';

import { isDataObject, parseJson } from '../../api/json';
import { idOf, readListPage } from '../../api/list';
import { UserError } from '../../api/userError';
import type { Api } from '../../transport/client';

/** In the order of the output: what needs attention comes first. */
const RESULTS = ['different', 'refused', 'ignored', 'failed', 'as assumed', 'no data'] as const;
type Result = (typeof RESULTS)[number];

/** Whether an assumption holds. The evidence has no secret, and of a record nothing but its ID. */
export type Finding = [result: boolean | Result, evidence: string, whatToDo?: string];

type Query = Record<string, string>;

/** Whether a parameter works, and what shows it. */
type Verdict = [works: boolean, got?: string];

/** What the API sent; `got` is that in words. */
export type Reply = Awaited<ReturnType<Survey['get']>>;

/** Enough for every question; retries come on top. */
const MAX_REQUESTS = 60;

/** For each parameter, its names in the API, the most usual first; our own is the first. */
const NAMES: Query = {
	page: 'page page_number pageNumber page[number] pageIndex',
	pageSize: 'pageSize page_size per_page perPage limit size page[size]',
	sort: 'sort sort_direction sortDirection order direction sort_order sortOrder',
	createdAfter: 'createdAfter created_after createdFrom created_from from since start_date',
	createdBefore: 'createdBefore created_before createdTo created_to to until end_date',
	cardId: 'cardId card_id card cardIds',
	status: 'status state statuses status[]',
	accountId: 'accountId account_id account account-id',
};

/** What to do if the answer to a question is not as assumed; without an entry: the node filters by itself. */
const HINTS: Query = {
	'Does page work?': 'Ask your provider how the list goes on: the node reads one page only.',
	'Does sort work?': 'Nothing for Return All: the node sorts. With a Limit, Sort fails.',
	'Does accountId work?': 'Ask your provider for its name.',
	'Are there totals?': 'Nothing: the node reads to an empty page.',
	'Is the first page 1?': 'Nothing: the node counts as the API does.',
	'Is a page beyond the end empty?': 'Nothing if there are totals. If not, set a Limit.',
	'Are the totals exact?': 'Set a Limit of at most what came.',
	'May a page have 100 records?': 'Nothing: the node reads more pages.',
	'Is a range of more than a year refused?': 'Nothing: the node reads year by year.',
	'Are unknown parameters ignored?': 'Nothing: the node sends only what you set.',
	'Does the key fit Key Scope?': 'Change Key Scope in the credential.',
	'Do the clocks agree?': 'Correct the clock, or raise Timestamp Tolerance in the trigger.',
	'Are amounts strings?': 'Tell your provider: the node refuses numbers, which are not exact.',
};

const BY_ITSELF = 'Nothing: the node does it by itself, with more requests.';

/** Whether the node would read another list without a parameter. */
const isNeeded = (parameter: string) => `Does ${parameter} work?` in HINTS;

/** The path of a list, of what is asked about. */
export const pathOf = (about: string): string => about.replace(/.* /, '/');

const setNames = (names: Query) => `Paste into Parameter Names: ${JSON.stringify(names)}`;

/** Asks the API questions, and collects what it finds out, and the names of parameters that work. */
export class Survey {
	private readonly api: Api;
	private readonly ours: Query;
	private readonly items: Query[] = [];
	private readonly searched = new Set<string>();
	/** For each name that a parameter needs, a list, the newest first; "": it must not be sent to that list. */
	private readonly needs = new Map<string, Query>();
	private sent = 0;

	constructor(api: Api) {
		this.api = api;
		this.ours = api.config.parameterNames;
	}

	/** Asks about a section of docs/assumptions.md and a topic, e.g. "4.3 cards". If that fails, others can go on. */
	async ask(
		about: string,
		question: string,
		isAskable: boolean,
		find: () => Finding | Promise<Finding>,
	): Promise<void> {
		const [section = '', topic = ''] = about.split(' ');
		const none: Finding = ['no data', 'the records do not show it'];
		const [found, evidence, hint = HINTS[question] ?? 'Tell your provider.'] = await (async () =>
			isAskable ? await find() : none)().catch((error: unknown): Finding => {
			if (error instanceof UserError) return ['failed', error.message, error.hint];
			throw error;
		});
		const result = found === true ? 'as assumed' : found || 'different';
		const whatToDo = found === true || found === 'no data' ? '' : hint;
		this.items.push({ topic, question, result, evidence, whatToDo, section });
	}

	/** Gets what the API sends, also a refusal. */
	async get(path: string, query: Query = {}) {
		if (++this.sent > MAX_REQUESTS)
			throw new UserError(
				'Not asked: 60 requests were sent',
				'Set the names that work, and run it again.',
			);
		const { status, body, headers = {} } = await this.api.probe(path, query);
		const json = parseJson(body);
		const page = readListPage(json);
		const records = (page?.items ?? []).filter(isDataObject);
		const got = status < 400 ? `got ${records.length} records` : `got ${status}`;
		return { status, json, headers, page, records, ids: records.map(idOf), got };
	}

	/** The name that works, or else the one in the credential. */
	nameOf(parameter: string): string {
		const working = Object.keys(this.needs.get(parameter) ?? {}).find((name) => name !== '');
		return working ?? this.ours[parameter] ?? parameter;
	}

	/** Notes a name that a list needs, and says what to do about it. */
	need(parameter: string, name: string, about: string): string {
		this.needs.set(parameter, { [name]: about, ...this.needs.get(parameter) });
		return setNames({ [parameter]: name });
	}

	/** Asks whether a parameter works: under our name, or others. `same` are the records without it. */
	async tryNames(
		about: string,
		[parameter, value, asked = value]: [parameter: string, value: string, asked?: string],
		[same, query, isAskable]: [same: IDataObject[], query: Query, isAskable: boolean],
		judge: (reply: Reply, name: string) => Verdict | Promise<Verdict>,
	): Promise<void> {
		const attempt = async (name: string, ...more: string[]): Promise<Finding> => {
			const named = Object.fromEntries([name, ...more].map((each) => [each, value]));
			const reply = await this.get(pathOf(about), { ...query, ...named });
			const isRefused = reply.status >= 400;
			const [works, got = reply.got] = isRefused ? [false] : await judge(reply, name);
			const isSame = reply.ids.join() === same.map(idOf).join();
			const otherwise = isRefused ? 'refused' : isSame && 'ignored';
			return [works || otherwise, `asked for ${asked} with ${name}, ${got}`];
		};
		await this.ask(about, `Does ${parameter} work?`, isAskable, async () => {
			const own = this.nameOf(parameter);
			const configured = this.ours[parameter];
			if (own === '') return [true, 'not sent: its name in Parameter Names is ""'];
			const [result, evidence] = await attempt(own);
			if (configured === undefined) return [result, evidence, BY_ITSELF];
			if (result === true) return [own === configured, evidence, this.need(parameter, own, about)];
			// A name that works with another list may not be that of this one.
			const isNew = result !== false && (own !== configured || !this.searched.has(parameter));
			const [likely = '', ...others] =
				NAMES[parameter]?.split(' ').filter((name) => name !== own) ?? [];
			this.searched.add(parameter);
			// Where unknown names are ignored, one request shows whether any of them has an effect.
			const isOpen =
				isNew && (result === 'refused' || (await attempt(likely, ...others))[0] !== 'ignored');
			for (const name of isOpen ? [likely, ...others] : []) {
				const [works, got] = await attempt(name);
				if (works !== true) continue;
				return [false, `${got}; ${evidence}`, this.need(parameter, name, about)];
			}
			if (result === 'ignored' || isNeeded(parameter))
				return [result, evidence, HINTS[`Does ${parameter} work?`] ?? BY_ITSELF];
			return [result, evidence, this.need(parameter, '', about)];
		});
	}

	/** Asks what Parameter Names needs; gives the items in the order of the output, and a summary. */
	async finish(): Promise<{ items: Query[]; summary: string }> {
		const proposed = { ...this.ours };
		let evidence = 'others work';
		for (const [parameter, lists] of this.needs) {
			const isClear = Object.keys(lists).length === 1 || isNeeded(parameter);
			proposed[parameter] = isClear && !('' in lists) ? this.nameOf(parameter) : '';
			if (!isClear) evidence += `; lists differ in ${parameter}: ${JSON.stringify(lists)}`;
		}
		const changed = Object.entries(proposed).filter(([own, name]) => own !== name);
		const whatToDo = setNames(Object.fromEntries(changed));
		const isSame = JSON.stringify(proposed) === JSON.stringify(this.ours);
		await this.ask('4.3 names', 'Do the names in Parameter Names work?', true, () =>
			isSame ? [true, 'they do'] : [false, evidence, whatToDo],
		);
		const { compare } = new Intl.Collator('en', { numeric: true });
		const bySection = (a: Query, b: Query) => compare(a.section ?? '', b.section ?? '');
		const groups = RESULTS.map((name) => this.items.filter(({ result }) => result === name));
		const counts = groups.map(({ length }, index) => `${length} ${RESULTS[index]}`);
		const summary = counts.filter((count) => !count.startsWith('0')).join(', ');
		const items = groups.flatMap((group) => group.sort(bySection));
		return { items, summary: isSame ? summary : `${summary}. ${whatToDo}` };
	}
}
