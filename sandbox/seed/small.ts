import { type SeedData, seedDataSchema } from './data.ts';

// A small believable company: the same in every sandbox. A row each, below the names of its fields; "-" is no value.

const CARDS = `
accountId | name | lastFour | status | type | days | categories | limit | category
1001 | Cloud infrastructure  | 4417 | active   | recurring  | 400 | cloud_computing saas_software | 25000.00 monthly | -
1001 | Office supplies       | 0932 | active   | recurring  | 390 | office_supplies_and_cleaning electronics | 3000.00 monthly | -
1001 | Team travel           | 7751 | active   | recurring  | 350 | airlines lodging taxi_and_rideshare car_rental travel_misc | - | -
1001 | Trade fair booth      | 2208 | active   | single-use | 60  | professional_services | 5000.00 lifetime | -
1001 | Conference tickets    | 6640 | active   | single-use | 5   | education entertainment | 2000.00 lifetime | -
1001 | Courier and freight   | 3175 | frozen   | recurring  | 280 | shipping freight_moving_and_delivery_services | 4000.00 monthly | -
1001 | Old phone contract    | 8086 | archived | recurring  | 700 | internet_and_phone | - | -
1002 | Search advertising    | 5523 | active   | recurring  | 120 | advertising | 40000.00 monthly | -
1002 | Design tools          | 1904 | active   | recurring  | 500 | saas_software | 800.00 monthly | saas_software
1002 | Influencer campaign   | 9362 | frozen   | recurring  | 90  | advertising professional_services | - | -
1002 | Launch event catering | 4029 | archived | single-use | 75  | restaurants | 1200.00 lifetime | -
1002 | Client dinners        | 7318 | active   | recurring  | 210 | restaurants entertainment | 2500.00 monthly | -
1002 | Search advertising    | 0071 | archived | recurring  | 600 | advertising | - | -`;

const MERCHANTS = `
key | merchantName | merchantCity | merchantState | merchantCountry | merchantPostalCode | merchantStreetAddress | merchantTaxId | mcc | category
cloud       | NIMBUS CLOUD SERVICES | Seattle       | WA | US | 98109 | - | - | 7372 | cloud_computing
monitoring  | UPTIME LANTERN        | Dublin        | -  | IE | -     | - | - | 5734 | saas_software
paper       | PAPERWORKS SUPPLY CO  | Columbus      | OH | US | 43215 | 210 N High St | 31-5550142 | 5943 | office_supplies_and_cleaning
electronics | VOLTBARN ELECTRONICS  | Austin        | TX | US | 78701 | - | - | 5732 | electronics
airline     | GREAT PLAINS AIR      | Denver        | CO | US | -     | - | - | 4511 | airlines
hotel       | HARBOUR LIGHT HOTEL   | Boston        | MA | US | 02110 | - | - | 7011 | lodging
taxi        | YELLOWLINE CABS       | Boston        | MA | US | -     | - | - | 4121 | taxi_and_rideshare
tradeFair   | EXPO HALL SERVICES    | Chicago       | IL | US | -     | - | - | 7399 | professional_services
courier     | SWIFTCRATE LOGISTICS  | Memphis       | TN | US | -     | - | - | 4215 | shipping
ads         | FINDWELL ADS          | San Mateo     | CA | US | -     | - | - | 7311 | advertising
design      | PIXELFOUNDRY          | Portland      | OR | US | -     | - | - | 5734 | saas_software
caterer     | TABLE & THYME         | Oakland       | CA | US | -     | - | - | 5811 | restaurants
restaurant  | BRASSERIE ALMA        | San Francisco | CA | US | 94103 | - | - | 5812 | restaurants
jeweller    | LUXOR GOLD TRADING    | Istanbul      | -  | TR | -     | - | - | 5944 | general_merchandise
unnamed     | -                     | -             | -  | US | -     | - | - | 5999 | -`;

/** The newest first. */
const TRANSACTIONS = `
card | hoursAgo | amount | merchant | outcome | reason
12 | 2    | 184.20  | restaurant  | pending  | -
8  | 4    | 1250.00 | ads         | pending  | -
3  | 7    | 38.50   | taxi        | pending  | -
10 | 9    | 640.00  | ads         | declined | card_frozen
2  | 15   | 219.99  | electronics | pending  | -
6  | 20   | 86.40   | courier     | declined | card_frozen
3  | 26   | 412.80  | hotel       | pending  | -
2  | 31   | 2899.00 | jeweller    | declined | suspected_fraud
8  | 40   | 1250.00 | ads         | settled  | -
3  | 49   | 350.00  | hotel       | released | -
1  | 55   | 3120.45 | cloud       | settled  | -
9  | 66   | 79.00   | design      | settled  | -
12 | 74   | 96.75   | restaurant  | settled  | -
2  | 88   | 54.30   | paper       | settled  | -
3  | 101  | 624.10  | airline     | settled  | -
3  | 105  | 624.10  | airline     | refund   | -
6  | 119  | 142.00  | courier     | settled  | -
8  | 136  | 1250.00 | ads         | settled  | -
5  | 150  | 1.00    | unnamed     | released | -
1  | 166  | 189.00  | monitoring  | settled  | -
12 | 190  | 2700.00 | restaurant  | declined | card_limit_exceeded
2  | 205  | 17.85   | paper       | settled  | -
8  | 232  | 1250.00 | ads         | settled  | -
2  | 250  | 129.00  | electronics | refund   | -
3  | 271  | 45.20   | taxi        | settled  | -
9  | 290  | 49.00   | design      | settled  | -
6  | 311  | 75.25   | courier     | settled  | -
8  | 328  | 1250.00 | ads         | settled  | -
12 | 350  | 142.60  | restaurant  | settled  | -
3  | 372  | 534.00  | hotel       | settled  | -
1  | 395  | 22.75   | unnamed     | settled  | -
11 | 420  | 80.00   | caterer     | declined | card_archived
8  | 460  | 1250.00 | ads         | settled  | -
10 | 512  | 1800.00 | ads         | settled  | -
9  | 560  | 900.00  | design      | declined | card_limit_exceeded
7  | 601  | 59.00   | unnamed     | declined | card_archived
2  | 655  | 312.40  | paper       | settled  | -
1  | 780  | 2954.10 | cloud       | settled  | -
4  | 840  | 650.00  | tradeFair   | declined | single_use_card_spent
3  | 905  | 288.00  | airline     | settled  | -
4  | 1030 | 4200.00 | tradeFair   | settled  | -
4  | 1032 | 1.00    | tradeFair   | released | -
11 | 1400 | 1135.50 | caterer     | settled  | -
7  | 2300 | 59.00   | unnamed     | settled  | -`;

const PAYMENTS = `
accountId | days | amount | status | type
1001 | -400 | 3410.00 | paid      | automatic
1001 | -72  | 4882.35 | paid      | automatic
1001 | -42  | 7154.10 | failed    | automatic
1001 | -40  | 7154.10 | paid      | manual
1001 | 12   | 4930.25 | scheduled | automatic
1002 | -70  | 5120.00 | paid      | automatic
1002 | -40  | 8035.50 | paid      | automatic
1002 | 12   | 6617.35 | scheduled | automatic`;

const NUMBERS = ['accountId', 'card', 'days', 'hoursAgo'];

/** The rows of a table as objects; the first row has the names of the fields. */
function rows(table: string): Record<string, string | number>[] {
	const [names = [], ...lines] = table
		.trim()
		.split('\n')
		.map((line) => line.split('|').map((cell) => cell.trim()));
	return lines.map((cells) => {
		const fields = names.map((name, column): [string, string] => [name, cells[column] ?? '-']);
		const given = fields.filter(([, cell]) => cell !== '-');
		return Object.fromEntries(
			given.map(([name, cell]) => [name, NUMBERS.includes(name) ? Number(cell) : cell]),
		);
	});
}

export function smallCompany(): SeedData {
	const cards = rows(CARDS).map(({ categories, limit, ...card }) => {
		const [amount, type] = String(limit ?? '').split(' ');
		return {
			...card,
			categories: String(categories).split(' '),
			limit: limit === undefined ? undefined : { amount, type },
		};
	});
	const merchants = rows(MERCHANTS).map(({ key = '', ...merchant }) => [key, merchant] as const);
	return seedDataSchema.parse({
		cards,
		merchants: Object.fromEntries(merchants),
		transactions: rows(TRANSACTIONS),
		payments: rows(PAYMENTS),
	});
}
