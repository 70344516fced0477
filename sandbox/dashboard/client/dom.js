/**
 * Makes an element. An attribute that is `true` is set empty, one that is `false` or undefined is
 * left out, and a function listens: `onclick` to clicks.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | undefined | ((event: Event) => void)>} attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, attributes, ...children) {
	const made = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (value === false || value === undefined) continue;
		if (typeof value === 'function') made.addEventListener(name.slice(2), value);
		else made.setAttribute(name, value === true ? '' : String(value));
	}
	made.append(...children);
	return made;
}

/**
 * Gives the page's element with an id. Throws when it is missing or of another kind.
 *
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function byId(id, kind) {
	const found = document.getElementById(id);
	if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
	return found;
}

/**
 * Gives a form's select with a name. Throws when it is missing.
 *
 * @param {HTMLFormElement} form
 * @param {string} name
 */
export function selectOf(form, name) {
	const found = form.elements.namedItem(name);
	if (!(found instanceof HTMLSelectElement)) throw new Error(`the form has no select ${name}`);
	return found;
}

/**
 * Gives a form's text input with a name. Throws when it is missing.
 *
 * @param {HTMLFormElement} form
 * @param {string} name
 */
export function inputOf(form, name) {
	const found = form.elements.namedItem(name);
	if (!(found instanceof HTMLInputElement)) throw new Error(`the form has no input ${name}`);
	return found;
}

/**
 * Offers options, keeping what is chosen as long as it is still offered.
 *
 * @param {HTMLSelectElement} select
 * @param {(HTMLOptionElement | HTMLOptGroupElement)[]} options
 */
export function offer(select, options) {
	const chosen = select.value;
	select.replaceChildren(...options);
	if ([...select.options].some(({ value }) => value === chosen)) select.value = chosen;
}
