import { join } from 'node:path';

import { DateTime } from 'luxon';
import { z } from 'zod';

import { outputOf } from '../../harness/n8n/executions.ts';
import { cardPlatform, readWorkflow } from '../../harness/n8n/workflow.ts';
import { addApiCredential } from '../../harness/scenario/automation.ts';
import { requestJson } from '../../harness/tools/json.ts';
import { workflowsFolder } from '../../harness/tools/paths.ts';
import { type CompanyApi, emptyCompany, startCompanyApi } from './companyApi.ts';
import {
	activated,
	filledIn,
	importWorkflow,
	type LiveWorkflow,
	useTestEnvironment,
} from './environment.ts';
import { lines, sentDuring, slackMessagesDuring } from './slackMessages.ts';

const trigger = 'Every day at 07:00';
/** The time zone that n8n has where nobody sets one. */
const usualZone = 'America/New_York';
const cardSchema = z.object({ id: z.string(), lastFour: z.string() });

const environment = useTestEnvironment();

/** What a person enters in Settings. */
interface Settings {
	cardPercent?: string;
	creditPercent?: string;
	paymentDays?: number;
}

/** Publishes the workflow with a read-only credential for an API, with these settings and Slack. */
async function importFor(url: string, settings: Settings = {}): Promise<LiveWorkflow> {
	const { n8n, company, credentials } = environment();
	const readOnly = await addApiCredential(n8n, company, { baseUrl: url, readOnly: true });
	const file = await readWorkflow(join(workflowsFolder, 'limits-and-credit.json'));
	const values = { cardPercent: '20', creditPercent: '20', paymentDays: 3, ...settings };
	const own = { ...credentials, [cardPlatform.action]: readOnly };
	const workflow = activated(filledIn(file, 'Settings', values), 'Notify Slack');
	return importWorkflow({ ...environment(), credentials: own }, workflow);
}

/** Runs the workflow from its trigger; gives what Slack got. */
const run = ({ id }: LiveWorkflow, status = 'success') =>
	slackMessagesDuring(environment(), async () => {
		expect((await environment().n8n.run(id, trigger)).status).toBe(status);
	});

// Tests "Limits and credit every morning": with cards of the sandbox, and with amounts that it never has.
describe('"Limits and credit every morning"', () => {
	describe('in a company', () => {
		const request = async (path: string, method: 'POST' | 'PATCH', body: object) => {
			const { api, apiKey } = environment().company;
			const headers = { authorization: `Bearer ${apiKey}` };
			return requestJson(api.url + path, cardSchema, { method, headers, body });
		};

		/** Creates a card with a limit, from which this much has been spent. */
		const create = async (name: string, limit: string, spent: string) => {
			const { sandbox } = environment().company;
			const amounts = { limit: { amount: limit, type: 'monthly' } };
			const card = await request('/cards', 'POST', { name, type: 'recurring', ...amounts });
			await sandbox.authorize({ cardId: card.id, amount: spent, merchantName: 'Shop' });
			return card;
		};

		beforeAll(async () => {
			const { cards } = environment().company;
			for (const { id, status } of cards) {
				if (status !== 'archived') await request(`/cards/${id}`, 'PATCH', { limit: null });
			}
		});

		it('sends nothing when no card has a limit, no payment is due and credit is left', async () => {
			expect(await run(await importFor(environment().company.api.url))).toEqual([]);
		});

		it('lists the cards below the share, the smallest first, and no others', async () => {
			const { api } = environment().company;
			const below = await create('Below', '50.00', '40.01');
			await create('Exactly', '50.00', '40.00');
			const frozen = await create('<Frozen> & Co', '100.00', '99.00');
			await api.changeCard(frozen.id, 'freeze');
			const archived = await create('Archived', '100.00', '99.00');
			await api.changeCard(archived.id, 'archive');
			const live = await importFor(api.url);
			expect(await run(live)).toEqual([
				lines(
					'Cards with less than 20 % of their limit left: 2',
					`&lt;Frozen&gt; &amp; Co (…${frozen.lastFour}): 1.00 of 100.00 (monthly), 1.0 %`,
					`Below (…${below.lastFour}): 9.99 of 50.00 (monthly), 19.9 %`,
				),
			]);
			const sent = await sentDuring(environment(), () => run(live));
			expect(sent).toEqual([
				{ url: 'https://slack.com/api/chat.postMessage', channel: '#card-alerts' },
			]);
		});
	});

	describe('with an API that has', () => {
		let server: CompanyApi;

		beforeAll(async () => {
			server = await startCompanyApi();
		});

		afterAll(() => server.close());

		beforeEach(() => {
			Object.assign(server.company, emptyCompany());
		});

		const linesWith = async (settings: Settings) => {
			const [text = ''] = await run(await importFor(server.url, settings));
			return text.split('\n').filter((line) => line !== '');
		};
		const listedAt = (cardPercent: string, ...of: CompanyApi['company']['cards']) => {
			server.company.cards = of;
			return linesWith({ cardPercent });
		};
		const of = (balance: string, amount: string, name = 'One') => ({
			name,
			balance,
			limit: { amount },
		});

		it.each([
			[
				'a balance that is a hair below the share',
				'20',
				'1801439850948198.59',
				'9007199254740993',
				true,
			],
			[
				'a balance that is exactly the share',
				'20',
				'1801439850948198.60',
				'9007199254740993',
				false,
			],
			['a share with decimals', '12.5', '12.49', '100', true],
			['the very share with decimals', '12.5', '12.50', '100', false],
			['the whole limit', '100', '100.00', '100.00', false],
			['an overdrawn card', '20', '-5.00', '100.00', true],
			['a limit of zero', '20', '0.00', '0.00', false],
			['a limit of zero that is overdrawn', '20', '-1.00', '0.00', true],
		])('%s', async (_, percent, balance, limit, isListed) => {
			expect(await listedAt(percent, of(balance, limit))).toHaveLength(isListed ? 2 : 0);
		});

		it('cards that cannot be read or compared, and names them', async () => {
			const found = await listedAt(
				'20',
				{ name: 'Gone' },
				of('9,99', '100.00', 'Comma'),
				{ name: 'No balance', limit: { amount: '100.00' } },
				of('1.00', '100.00', 'Near'),
			);
			expect(found).toEqual([
				'Cards with less than 20 % of their limit left: 1',
				'Near (…0042): 1.00 of 100.00, 1.0 %',
				'Cards that could not be read: 3',
				expect.stringMatching(/^Gone \(…0042\): .+/),
				'Comma (…0042): balance "9,99", limit "100.00"',
				'No balance (…0042): balance "undefined", limit "100.00"',
			]);
		});

		it('many cards near their limit, and lists fifty', async () => {
			const many = Array.from({ length: 53 }, (_, index) =>
				of(`${53 - index}.00`, '1000.00', `Card ${index}`),
			);
			const found = await listedAt('20', ...many);
			expect(found[0]).toBe('Cards with less than 20 % of their limit left: 53');
			expect(found.slice(1, 3)).toEqual([
				'Card 52 (…0042): 1.00 of 1000.00, 0.1 %',
				'Card 51 (…0042): 2.00 of 1000.00, 0.2 %',
			]);
			expect(found.slice(-2)).toEqual(['Card 3 (…0042): 50.00 of 1000.00, 5.0 %', '… and 3 more']);
		});

		it.each([
			['a hair below the share', '1801439850948198.59', '9007199254740993', true],
			['exactly the share', '1801439850948198.60', '9007199254740993', false],
			['overdrawn', '-5.00', '0.00', true],
			['not there at all', '0.00', '0.00', false],
			['no amount', '9,99', '100.00', true],
		])('credit that is %s', async (_, availableCreditLimit, overallCreditLimit, isTold) => {
			server.company.credit = { availableCreditLimit, overallCreditLimit };
			const found = await linesWith({});
			expect(found).toEqual(isTold ? [expect.stringContaining(availableCreditLimit)] : []);
		});

		it('credit, payments and cards to tell of, in one message', async () => {
			const day = (count: number) =>
				DateTime.now().setZone(usualZone).plus({ days: count }).toFormat('yyyy-MM-dd');
			const dueIn = (count: number, descriptor: string) => ({
				dueDate: day(count),
				amount: '120.50',
				status: 'scheduled',
				descriptor,
			});
			server.company.payments = [
				dueIn(-2, 'Over'),
				dueIn(1, 'Cards'),
				dueIn(2, 'More'),
				dueIn(9, 'Later'),
			];
			server.company.credit = { availableCreditLimit: '12.34', overallCreditLimit: '100.00' };
			server.company.cards = [of('15.00', '100.00')];
			expect(await linesWith({ creditPercent: '12.5' })).toEqual([
				'Less than 12.5 % of the credit is left: 12.34 of 100.00, 12.3 %',
				'Payments due in the next 3 days: 2',
				`${day(1)}, 120.50, scheduled, Cards`,
				`${day(2)}, 120.50, scheduled, More`,
				'Cards with less than 20 % of their limit left: 1',
				'One (…0042): 15.00 of 100.00, 15.0 %',
			]);
		});

		it.each([
			['cardPercent', ''],
			['cardPercent', '20 %'],
			['cardPercent', '0'],
			['creditPercent', '-1'],
			['creditPercent', '101'],
			['creditPercent', '1e1'],
		])('no message if %s is "%s": the execution fails', async (name, percent) => {
			server.company.cards = [of('1.00', '100.00')];
			const { id } = await importFor(server.url, { [name]: percent });
			const execution = await environment().n8n.run(id, trigger);
			expect(execution.status).toBe('error');
			expect(outputOf(execution, 'Compare').error).toContain(`${name} in Settings is "${percent}"`);
		});
	});
});
