import { offerAccounts } from './accounts.js';
import { actionButton, onSubmit } from './actions.js';
import { badge } from './badge.js';
import { control } from './control.js';
import { deliveryItem } from './delivery.js';
import { confirmed, showSecret } from './dialogs.js';
import { byId, inputOf, make, selectOf } from './dom.js';
import { when } from './format.js';
import { showList } from './list.js';
import { tell } from './notices.js';
import { watch } from './watch.js';

/** Deliveries that are shown, the latest. */
const SHOWN = 50;

const form = byId('endpoint-form', HTMLFormElement);

/** @type {Map<number, string>} */
const accountNames = new Map();

const overview = watch(
	() => '',
	/** @param {import('./types.d.ts').Overview} overview */
	({ accounts }) => {
		for (const { id, name } of accounts) accountNames.set(id, name);
		offerAccounts(selectOf(form, 'accountId'), accounts);
		void refreshEndpoints();
	},
);

const refreshEndpoints = watch(
	() => (accountNames.size > 0 ? '/endpoints' : undefined),
	/** @param {{ data: import('./types.d.ts').Endpoint[] }} answer */
	({ data }) =>
		showList(byId('endpoints', HTMLElement), data, endpointItem, byId('no-endpoints', HTMLElement)),
);

const refreshDeliveries = watch(
	() => `/deliveries?pageSize=${SHOWN}`,
	/** @param {import('./types.d.ts').DeliveriesPage} answer */
	({ data, totalItemCount, totalItemCountCapped }) => {
		byId('deliveries-state', HTMLElement).textContent =
			totalItemCount > SHOWN
				? `The latest ${SHOWN} of ${totalItemCountCapped ? 'more than ' : ''}${totalItemCount}`
				: '';
		showList(
			byId('deliveries', HTMLElement),
			data,
			(delivery) => deliveryItem(delivery, () => refreshDeliveries()),
			byId('no-deliveries', HTMLElement),
		);
	},
);

onSubmit(form, overview.shown, async (data) => {
	const body = { url: data.get('url'), accountId: Number(data.get('accountId')) };
	const { signingSecret } = await control('POST', '/endpoints', body);
	inputOf(form, 'url').value = '';
	await refreshEndpoints();
	await showSecret({
		title: 'Signing secret',
		text: 'Copy it now: it is shown only once. The receiver uses it to verify signatures.',
		label: 'Signing secret',
		secret: signingSecret,
	});
});

/** @param {import('./types.d.ts').Endpoint} endpoint */
function endpointItem({ id, url, accountId, createdAt, failingSince }) {
	const facts = [accountNames.get(accountId) ?? accountId, `since ${when(createdAt)}`];
	if (failingSince !== null) facts.push(`failing since ${when(failingSince)}`);
	const rotate = async () => {
		const { signingSecret } = await control('POST', `/endpoints/${id}/rotate`);
		await showSecret({
			title: 'New signing secret',
			text: 'Copy it now: it is shown only once. The previous one stays valid for 24 hours.',
			label: 'Signing secret',
			secret: signingSecret,
		});
	};
	const remove = async () => {
		const sure = await confirmed({
			title: 'Remove this endpoint?',
			text: `${url} receives no more events, and pending deliveries fail.`,
			action: 'Remove endpoint',
		});
		if (!sure) return;
		await control('DELETE', `/endpoints/${id}`);
		tell('Endpoint removed.');
		await refreshEndpoints();
	};
	return make(
		'li',
		{ class: 'row' },
		make('span', { class: 'main' }, url, make('small', {}, facts.join(' · '))),
		...(failingSince === null ? [] : [badge('failing')]),
		make(
			'span',
			{ class: 'actions' },
			actionButton('Rotate secret', `of ${url}`, rotate),
			actionButton('Remove', url, remove, 'quiet'),
		),
	);
}
