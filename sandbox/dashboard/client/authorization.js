import { onSubmit } from './actions.js';
import { control } from './control.js';
import { byId, inputOf, make, offer, selectOf } from './dom.js';
import { cardName } from './format.js';
import { DECLINE_REASONS, SCENARIOS } from './scenarios.js';
import { watch } from './watch.js';

/**
 * The categories that each card is restricted to (§2), by its id; none: not restricted.
 *
 * @type {Map<string, string[]>}
 */
const allowedCategories = new Map();

/**
 * Fills the form that pays with a card; calls `done` with what each payment caused.
 *
 * @param {(simulated: import('./types.d.ts').Simulated) => void} done
 */
export function startAuthorizationForm(done) {
	const form = byId('authorization-form', HTMLFormElement);
	const declineReason = byId('decline-reason', HTMLElement);
	const chosen = () => {
		const name = new FormData(form).get('scenario');
		const scenario = SCENARIOS.find((each) => each.name === name);
		if (!scenario) throw new Error('no scenario is selected');
		return scenario;
	};
	const cardSelect = selectOf(form, 'cardId');
	const category = selectOf(form, 'category');
	const fitCategory = () => {
		const fitting = chosen().merchant.category;
		const allowed = allowedCategories.get(cardSelect.value) ?? [];
		category.value = allowed.includes(fitting) ? fitting : (allowed[0] ?? fitting);
	};
	const preset = () => {
		const { amount, currency, merchant, declines } = chosen();
		inputOf(form, 'amount').value = amount;
		inputOf(form, 'currency').value = currency;
		inputOf(form, 'merchantName').value = merchant.merchantName;
		declineReason.hidden = !declines;
		fitCategory();
	};
	cardSelect.addEventListener('change', fitCategory);

	byId('scenarios', HTMLElement).append(
		...SCENARIOS.map(({ name, label }, index) =>
			make(
				'label',
				{},
				make('input', {
					type: 'radio',
					name: 'scenario',
					value: name,
					checked: index === 0,
					onchange: preset,
				}),
				make('span', {}, label),
			),
		),
	);
	offer(
		selectOf(form, 'reason'),
		DECLINE_REASONS.map((reason) => make('option', {}, reason)),
	);
	preset();
	const cards = offerCards(cardSelect, fitCategory);

	onSubmit(form, cards.shown, async (data) => {
		const { declines, merchant } = chosen();
		const merchantName = data.get('merchantName');
		const sameTrade = category.value === merchant.category;
		done(
			await control('POST', '/simulate/authorization', {
				...merchant,
				merchantName: merchantName === '' ? undefined : merchantName,
				category: category.value,
				mcc: sameTrade ? merchant.mcc : undefined,
				cardId: data.get('cardId'),
				amount: data.get('amount'),
				currency: data.get('currency'),
				...(declines && { decline: { reason: data.get('reason') } }),
			}),
		);
	});
}

/**
 * @param {HTMLSelectElement} select
 * @param {() => void} changed called when another card came to be chosen, as the one before is gone
 */
function offerCards(select, changed) {
	return watch(
		() => '/cards',
		/** @param {import('./types.d.ts').Page<import('./types.d.ts').Card>} cards */
		({ data }) => {
			const before = select.value;
			for (const { id, categories } of data) allowedCategories.set(id, categories);
			const byName = data.toSorted((one, two) => one.name.localeCompare(two.name));
			const group = (/** @type {string} */ status) =>
				make(
					'optgroup',
					{ label: status },
					...byName
						.filter((card) => card.status === status)
						.map((card) => make('option', { value: card.id }, cardName(card))),
				);
			const groups = ['active', 'frozen', 'archived'].map(group);
			offer(
				select,
				groups.filter(({ children }) => children.length > 0),
			);
			if (select.value !== before) changed();
		},
	);
}
