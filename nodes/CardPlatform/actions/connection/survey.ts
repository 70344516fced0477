import { isDataObject, parseJson } from '../../api/json';
import { idOf, readListPage } from '../../api/list';
import { UserError } from '../../api/userError';
import type { Api } from '../../transport/client';

/** In the order of the output: what needs attention comes first. */
const RESULTS = ['different', 'refused', 'ignored', 'failed', 'as assumed', 'no data'] as const;
type Found = boolean | (typeof RESULTS)[number];

/** Whether an assumption holds; false: no record shows it. The evidence has nothing of a record but its ID. */
type Finding = readonly [found: Found, evidence: string, whatToDo?: string] | false;

type Strings = Record<string, string>;

/** What the API sent; `got` says it in words. */
export type Reply = Awaited<ReturnType<Survey['get']>>;

/** Enough for every question; retries come on top. */
const MAX_REQUESTS = 60;

/** For each parameter, its names in APIs, the most usual first. */
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

/** What to do if the API has no name for a parameter. The node does without any other. */
const NEEDED: Strings = {
	page: 'Ask your provider how the list goes on: the node reads one page only.',
	sort: 'Nothing for Return All: the node sorts. With a Limit, Sort fails.',
	accountId: 'Ask your provider for its name.',
};

const BY_ITSELF = 'Nothing: the node does it by itself, with more requests.';

const toPaste = (names: Strings) => `Paste into Parameter Names: ${JSON.stringify(names)}`;

/** Asks the API questions; collects the answers, and the names of parameters that work. */
export class Survey {
	/** Names on the wire: those in the credential, until others are found. "": the parameter is not sent. */
	readonly names: Strings;

	private readonly api: Api;
	private readonly ours: Strings;
	private readonly items: Strings[] = [];
	/** Parameters whose other names have been tried, and those that work with a list. */
	private readonly searched = new Set<string>();
	private readonly working = new Set<string>();
	private sent = 0;

	constructor(api: Api) {
		this.api = api;
		this.ours = api.config.parameterNames;
		this.names = { ...this.ours };
	}

	/** Asks about a section of docs/assumptions.md and a topic, e.g. "4.3 cards". If that fails, others can go on. */
	async ask(
		about: string,
		question: string,
		find: () => Finding | Promise<Finding>,
	): Promise<void> {
		const [section = '', topic = ''] = about.split(' ');
		const finding = await (async () => await find())().catch((error: unknown): Finding => {
			if (error instanceof UserError) return ['failed', error.message, error.hint];
			throw error;
		});
		const none = ['no data', 'the records do not show it', ''] as const;
		const [found, evidence, hint = 'Tell your provider.'] = finding || none;
		const result = found === true ? 'as assumed' : found || 'different';
		const whatToDo = found === true ? '' : hint;
		this.items.push({ topic, question, result, evidence, whatToDo, section });
	}

	/** Gets what the API sends, also a refusal. */
	async get(path: string, query: Strings = {}) {
		if (++this.sent > MAX_REQUESTS) {
			const hint = 'Set the names that work, and run it again.';
			throw new UserError(`Not asked: ${MAX_REQUESTS} requests were sent`, hint);
		}
		const { status, body, headers = {} } = await this.api.probe(path, query);
		const json = parseJson(body);
		const page = readListPage(json);
		const records = (page?.items ?? []).filter(isDataObject);
		const got = status < 400 ? `got ${records.length} records` : `got ${status}`;
		return { status, json, headers, page, records, ids: records.map(idOf), got };
	}

	/** Takes another name for a parameter, and says what to do about it. */
	rename(parameter: string, name: string): string {
		this.names[parameter] = name;
		return toPaste({ [parameter]: name });
	}

	/** Asks whether a parameter of a query works, under our name or another. Without a query, nothing shows it. */
	async try(
		about: string,
		[parameter, value]: readonly [parameter: string, value: string],
		query: Strings | false,
		judge: (reply: Reply, name: string) => Promise<[Found, string?]> | [Found, string?],
	): Promise<void> {
		const attempt = async (...names: string[]): Promise<[Found, string]> => {
			const [name = ''] = names;
			const named = Object.fromEntries(names.map((each) => [each, value]));
			const reply = await this.get(about.replace(/.* /, '/'), { ...query, ...named });
			const [found, got = reply.got] =
				reply.status < 400 ? await judge(reply, name) : (['refused'] as const);
			const asked = value.replace(/^\d{4}-.*/, 'the time of a record');
			return [found, `asked for ${asked} with ${name}, ${got}`];
		};
		await this.ask(about, `Does ${parameter} work?`, async () => {
			const { names, searched, working } = this;
			const own = names[parameter] ?? parameter;
			if (query === false) return false;
			if (own === '') return ['no data', 'not asked: its name is ""', ''];
			const [found, evidence] = await attempt(own);
			const isWorking = working.has(parameter);
			if (found === true) {
				working.add(parameter);
				return [own === (this.ours[parameter] ?? own), evidence, toPaste({ [parameter]: own })];
			}
			const isNew = found !== false && !searched.has(parameter);
			searched.add(parameter);
			let others = (NAMES[parameter]?.split(' ') ?? []).filter((name) => isNew && name !== own);
			// Where unknown names are ignored, one request shows whether any of them has an effect.
			if (found === 'ignored' && (await attempt(...others))[0] === 'ignored') others = [];
			for (const name of others) {
				const [works, got] = await attempt(name);
				if (works !== true) continue;
				working.add(parameter);
				const differs = isWorking ? ', but another list has another name' : '';
				const hint = this.rename(parameter, isWorking ? '' : name);
				return [false, `${got}${differs}; ${evidence}`, hint];
			}
			if (parameter in NEEDED) return [found, evidence, NEEDED[parameter]];
			const isHarmful = found !== 'ignored' && parameter in NAMES;
			return [found, evidence, isHarmful ? this.rename(parameter, '') : BY_ITSELF];
		});
	}

	/** Asks what Parameter Names needs; gives the items in the order of the output, and a summary. */
	async finish(): Promise<{ items: Strings[]; summary: string }> {
		const changed = Object.entries(this.names).filter(([own, name]) => own !== name);
		const isSame = JSON.stringify(this.names) === JSON.stringify(this.ours);
		const whatToDo = toPaste(Object.fromEntries(changed));
		await this.ask('4.3 names', 'Do the names in Parameter Names work?', () => {
			return [isSame, isSame ? 'they do' : 'others work', whatToDo];
		});
		const { compare } = new Intl.Collator('en', { numeric: true });
		this.items.sort((a, b) => compare(a.section ?? '', b.section ?? ''));
		const groups = RESULTS.map((name) => this.items.filter(({ result }) => result === name));
		const counts = groups.map(({ length }, index) => `${length} ${RESULTS[index]}`);
		const summary = counts.filter((count) => !count.startsWith('0')).join(', ');
		return { items: groups.flat(), summary: isSame ? summary : `${summary}. ${whatToDo}` };
	}
}
