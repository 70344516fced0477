import { json, startServer } from '../../harness/httpServer.ts';

/** A card of the API, with whatever amounts; one named "Gone" is in the list only. */
interface WireCard {
	name: string;
	status?: string;
	balance?: string;
	limit?: { amount: string; type?: string };
}

/** A payment of the API. */
interface WirePayment {
	dueDate: string;
	amount: string;
	status: string;
	descriptor: string;
}

/** What the API has; a test changes it. */
interface Company {
	cards: WireCard[];
	payments: WirePayment[];
	credit: { availableCreditLimit: string; overallCreditLimit: string };
}

/** An API of amounts that the sandbox never has. */
export interface CompanyApi {
	url: string;
	company: Company;
	close: () => Promise<void>;
}

/** A company with nothing to tell of. */
export const emptyCompany = (): Company => ({
	cards: [],
	payments: [],
	credit: { availableCreditLimit: '100.00', overallCreditLimit: '100.00' },
});

/** An ID is the place in a list. */
const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

/** What the API responds to a path; undefined if there is no such thing. */
function respond({ cards, payments, credit }: Company, { pathname, searchParams }: URL) {
	const all = cards.map((card, index) => ({
		status: 'active',
		type: 'recurring',
		createdAt: '2026-01-01T00:00:00Z',
		lastFour: '0042',
		...card,
		id: idOf(index),
	}));
	switch (pathname) {
		case '/balance':
			return { ...credit, last24HoursSpend: '0.00', last30DaysSpend: '0.00' };
		case '/payments': {
			const [from, to] = [searchParams.get('from') ?? '', searchParams.get('to') ?? ''];
			const due = payments.filter(({ dueDate }) => dueDate >= from && dueDate <= to);
			return { data: due.map((payment, index) => ({ ...payment, id: idOf(index) })) };
		}
		case '/cards': {
			const data = all.map((card) => ({ ...card, balance: undefined, limit: undefined }));
			return { data, page: 1, pageSize: 100, totalItemCount: data.length, totalPages: 1 };
		}
		default:
			return all.find(({ id, name }) => pathname === `/cards/${id}` && name !== 'Gone');
	}
}

/** Starts an API of an empty company. */
export async function startCompanyApi(): Promise<CompanyApi> {
	const company = emptyCompany();
	const { url, close } = await startServer((request, response) => {
		const found = respond(company, new URL(request.url, 'http://api'));
		if (found) json(response, 200, found);
		else json(response, 404, { code: 'not-found', message: 'No such card' });
	});
	return { url, company, close };
}
