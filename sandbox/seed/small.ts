import { LIMIT_TYPES } from '../assumptions.ts';
import { categorySchema } from '../cards/card.ts';
import { parseAmount } from '../money.ts';
import { type SeedData, seedDataSchema, type SeedTransaction } from './data.ts';

// A small believable company: the same in every sandbox. A row each; "-" is a cell without a value.

/** Account, name, last four digits, status, type, days since its creation, categories, limit, deprecated category. */
const CARDS = `
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

/** Key, name, city, state, country, postal code, street, tax ID, MCC, category. All of them are invented. */
const MERCHANTS = `
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

/** Number of the card, hours ago, authorized amount, merchant, outcome or the reason of a decline. The newest first. */
const TRANSACTIONS = `
12 | 2    | 184.20  | restaurant  | pending
8  | 4    | 1250.00 | ads         | pending
3  | 7    | 38.50   | taxi        | pending
10 | 9    | 640.00  | ads         | card_frozen
2  | 15   | 219.99  | electronics | pending
6  | 20   | 86.40   | courier     | card_frozen
3  | 26   | 412.80  | hotel       | pending
2  | 31   | 2899.00 | jeweller    | suspected_fraud
8  | 40   | 1250.00 | ads         | settled
3  | 49   | 350.00  | hotel       | released
1  | 55   | 3120.45 | cloud       | settled
9  | 66   | 79.00   | design      | settled
12 | 74   | 96.75   | restaurant  | settled
2  | 88   | 54.30   | paper       | settled
3  | 101  | 624.10  | airline     | settled
3  | 105  | 624.10  | airline     | refund
6  | 119  | 142.00  | courier     | settled
8  | 136  | 1250.00 | ads         | settled
5  | 150  | 1.00    | unnamed     | released
1  | 166  | 189.00  | monitoring  | settled
12 | 190  | 2700.00 | restaurant  | card_limit_exceeded
2  | 205  | 17.85   | paper       | settled
8  | 232  | 1250.00 | ads         | settled
2  | 250  | 129.00  | electronics | refund
3  | 271  | 45.20   | taxi        | settled
9  | 290  | 49.00   | design      | settled
6  | 311  | 75.25   | courier     | settled
8  | 328  | 1250.00 | ads         | settled
12 | 350  | 142.60  | restaurant  | settled
3  | 372  | 534.00  | hotel       | settled
1  | 395  | 22.75   | unnamed     | settled
11 | 420  | 80.00   | caterer     | card_archived
8  | 460  | 1250.00 | ads         | settled
10 | 512  | 1800.00 | ads         | settled
9  | 560  | 900.00  | design      | card_limit_exceeded
7  | 601  | 59.00   | unnamed     | card_archived
2  | 655  | 312.40  | paper       | settled
1  | 780  | 2954.10 | cloud       | settled
4  | 840  | 650.00  | tradeFair   | single_use_card_spent
3  | 905  | 288.00  | airline     | settled
4  | 1030 | 4200.00 | tradeFair   | settled
4  | 1032 | 1.00    | tradeFair   | released
11 | 1400 | 1135.50 | caterer     | settled
7  | 2300 | 59.00   | unnamed     | settled`;

/** Account, days until it is due, amount, status, type. */
const PAYMENTS = `
1001 | -400 | 3410.00 | paid      | automatic
1001 | -72  | 4882.35 | paid      | automatic
1001 | -42  | 7154.10 | failed    | automatic
1001 | -40  | 7154.10 | paid      | manual
1001 | 12   | 4930.25 | scheduled | automatic
1002 | -70  | 5120.00 | paid      | automatic
1002 | -40  | 8035.50 | paid      | automatic
1002 | 12   | 6617.35 | scheduled | automatic`;

const rows = (table: string): string[][] =>
	table
		.trim()
		.split('\n')
		.map((row) => row.split('|').map((cell) => cell.trim().replace(/^-$/, '')));

const isOutcome = (value: string): value is SeedTransaction['outcome'] =>
	['pending', 'settled', 'released', 'refund'].includes(value);

const optional = (value = ''): string | undefined => (value === '' ? undefined : value);

/** The small company. */
export function smallCompany(): SeedData {
	const cards = rows(CARDS).map(
		([accountId, name, lastFour, status, type, days, categories = '', limit = '', category]) => {
			const [amount = '', limitType = LIMIT_TYPES[0]] = limit.split(' ');
			return {
				...{ accountId: Number(accountId), name, lastFour, status, type, days: Number(days) },
				categories: categories.split(' ').map((each) => categorySchema.parse(each)),
				category: optional(category),
				limit: limit === '' ? undefined : { amount, type: limitType },
			};
		},
	);
	const merchants = rows(MERCHANTS).map(
		([key = '', name, city, state, country, postalCode, street, taxId, mcc, category]) => [
			key,
			{
				category: optional(category),
				mcc,
				merchantName: optional(name),
				merchantCity: optional(city),
				merchantState: optional(state),
				merchantCountry: country,
				merchantPostalCode: optional(postalCode),
				merchantStreetAddress: optional(street),
				merchantTaxId: optional(taxId),
			},
		],
	);
	const transactions = rows(TRANSACTIONS).map(
		([card, hoursAgo, amount = '', merchant = '', outcome = '']): SeedTransaction => ({
			...{ card: Number(card), hoursAgo: Number(hoursAgo), amount: parseAmount(amount), merchant },
			...{ currency: 'USD', outcome: isOutcome(outcome) ? outcome : 'declined', reason: outcome },
		}),
	);
	const payments = rows(PAYMENTS).map(([accountId, days, amount, status, type]) => ({
		...{ accountId: Number(accountId), days: Number(days), amount, status, type },
	}));
	const data: unknown = { cards, merchants: Object.fromEntries(merchants), payments };
	return { ...seedDataSchema.parse(data), transactions };
}
