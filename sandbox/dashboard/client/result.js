import { badge } from './badge.js';
import { deliveryItem } from './delivery.js';
import { byId, make } from './dom.js';
import { money, when, words } from './format.js';
import { showList } from './list.js';
import { watch } from './watch.js';

/** @type {import('./types.d.ts').FinancialEvent | undefined} */
let event;

const refreshDeliveries = watch(
	() => event && `/deliveries?eventId=${event.id}`,
	/** @param {{ data: import('./types.d.ts').Delivery[] }} answer */
	({ data }) => showDeliveries(data),
);

/**
 * Shows the event that a simulation caused, and from now on what becomes of its deliveries.
 *
 * @param {import('./types.d.ts').Simulated} simulated
 */
export function showResult(simulated) {
	({ event } = simulated);
	showDeliveries([]);
	byId('result', HTMLElement).replaceChildren(eventDetails(event));
	void refreshDeliveries();
}

/** @param {import('./types.d.ts').Delivery[]} deliveries */
function showDeliveries(deliveries) {
	showList(byId('result-deliveries', HTMLElement), deliveries, (delivery) =>
		deliveryItem(delivery, () => refreshDeliveries()),
	);
}

/** @param {import('./types.d.ts').FinancialEvent} event */
function eventDetails(event) {
	const { id, amount, currency, merchantName, createdAt, issues } = event;
	const facts = [
		['Event', id],
		['Transaction', event.transactionId],
		['Created', when(createdAt)],
		['Issues', issues.map(({ origin, reason }) => `${words(reason)} (${origin})`).join(', ')],
	];
	return make(
		'div',
		{},
		make(
			'p',
			{ class: 'headline' },
			badge(kindOf(event)),
			make('strong', {}, money(amount, currency)),
			make('span', {}, merchantName ?? 'Unnamed merchant'),
		),
		make(
			'dl',
			{},
			...facts
				.filter(([, value]) => value !== '')
				.flatMap(([name = '', value = '']) => [make('dt', {}, name), make('dd', {}, value)]),
		),
	);
}

/** @param {import('./types.d.ts').FinancialEvent} event */
function kindOf({ isSuccess, isReversal, amountDirection }) {
	if (!isSuccess) return 'declined';
	if (isReversal) return 'reversed';
	return amountDirection === 'credit' ? 'refunded' : 'approved';
}
