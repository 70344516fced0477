/** @type {WeakMap<Element, Map<string, { json: string, element: HTMLElement }>>} */
const shown = new WeakMap();

/**
 * Shows one element per item. Elements of unchanged items stay as they are, a changed one is
 * replaced with its focus and its open details kept, so that nobody is disturbed while a page is live.
 *
 * @template {{ id: string | number }} T
 * @param {HTMLElement} parent
 * @param {T[]} items
 * @param {(item: T) => HTMLElement} build
 * @param {HTMLElement} [empty] shown while there are no items
 */
export function showList(parent, items, build, empty) {
	const before = shown.get(parent) ?? new Map();
	const after = new Map();
	const focused = document.activeElement;
	const focus = focusName(parent, focused);
	for (const item of items) {
		const json = JSON.stringify(item);
		const old = before.get(String(item.id));
		if (old?.json === json) after.set(String(item.id), old);
		else after.set(String(item.id), { json, element: successor(build(item), old?.element) });
	}
	for (const [id, { element }] of before) if (!after.has(id)) element.remove();
	[...after.values()].forEach(({ element }, index) => {
		const at = parent.children[index];
		if (at !== element) parent.insertBefore(element, at ?? null);
	});
	shown.set(parent, after);
	if (empty) empty.hidden = items.length > 0;
	if (focus && document.activeElement !== focused) restoreFocus(after, focus);
}

/**
 * @param {HTMLElement} built
 * @param {HTMLElement | undefined} old
 */
function successor(built, old) {
	if (old?.querySelector('details[open]')) built.querySelector('details')?.toggleAttribute('open');
	old?.replaceWith(built);
	return built;
}

/**
 * @param {HTMLElement} parent
 * @param {Element | null} focused
 */
function focusName(parent, focused) {
	if (!focused || !parent.contains(focused)) return undefined;
	for (const [id, { element }] of shown.get(parent) ?? []) {
		if (!element.contains(focused)) continue;
		return { id, index: focusable(element).findIndex((each) => each === focused) };
	}
	return undefined;
}

/**
 * @param {Map<string, { element: HTMLElement }>} items
 * @param {{ id: string, index: number }} focus
 */
function restoreFocus(items, { id, index }) {
	const element = items.get(id)?.element;
	const targets = element ? focusable(element) : [];
	const target = targets[index] ?? targets[0];
	target?.focus();
}

/**
 * @param {HTMLElement} element
 * @returns {HTMLElement[]}
 */
const focusable = (element) => [...element.querySelectorAll('button, summary, a')].filter(isHtml);

/**
 * @param {Element} element
 * @returns {element is HTMLElement}
 */
const isHtml = (element) => element instanceof HTMLElement;
