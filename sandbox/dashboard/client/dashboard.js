// What htmx cannot do: the clipboard, dialogs, errors beside their fields, and asking only for what is new.

const notices = document.getElementById('notice');

/**
 * Shows a message for some seconds, above everything else; screen readers read it out.
 *
 * @param {string} message
 */
function show(message, isError = false) {
	const notice = document.createElement('p');
	notice.className = `toast-message shadow-lg rounded fw-medium m-0 px-3 py-2 ${isError ? 'text-bg-danger' : ''}`;
	notice.textContent = message;
	notices?.replaceChildren(notice);
}

/** @type {number | undefined} */
let hiding;

// What is shown last is on top, also of a dialog.
if (notices) {
	new MutationObserver(() => {
		notices.hidePopover();
		if (!notices.hasChildNodes()) return;
		notices.showPopover();
		clearTimeout(hiding);
		hiding = setTimeout(() => notices.replaceChildren(), 6_000);
	}).observe(notices, { childList: true });
}

/** @param {string} url */
async function load(url) {
	const response = await fetch(url);
	if (!response.ok) throw new Error(`HTTP ${response.status}`);
	return new Blob([await response.text()], { type: 'text/plain' });
}

/** @param {HTMLElement} button */
async function copy({ dataset: { copy: value = '', copyFrom: url } }) {
	try {
		// A promise: after a wait for the file, Safari would no longer allow it.
		await (url === undefined
			? navigator.clipboard.writeText(value)
			: navigator.clipboard.write([new ClipboardItem({ 'text/plain': load(url) })]));
		show('Copied to the clipboard.');
	} catch {
		show('Copying is blocked here: select and copy manually.', true);
	}
}

document.addEventListener('click', ({ target }) => {
	const button = target instanceof Element ? target.closest('[data-copy], [data-copy-from]') : null;
	if (button instanceof HTMLElement) void copy(button);
});

// A search field leaves of a list what has the searched words.
document.addEventListener('input', ({ target }) => {
	if (!(target instanceof HTMLInputElement) || !target.dataset['filter']) return;
	for (const item of document.querySelectorAll(target.dataset['filter'])) {
		const isMatch = item.textContent.toLowerCase().includes(target.value.trim().toLowerCase());
		item.toggleAttribute('hidden', !isMatch);
	}
});

const secrets = document.getElementById('dialog');

// Browsers that do not know "closedby" ask whether Escape may close a dialog.
secrets?.addEventListener('cancel', (event) => event.preventDefault(), true);

// Nothing of a secret stays in the page.
secrets?.addEventListener(
	'close',
	({ target }) => target instanceof Element && target.remove(),
	true,
);

function openDialog() {
	const dialog = secrets?.querySelector('dialog:not([open])');
	if (dialog instanceof HTMLDialogElement) dialog.showModal();
}

openDialog();

/**
 * Asks before an action, in a dialog whose red button is named like the action.
 *
 * @param {Element} form
 * @param {string} text
 * @param {(isConfirmed: boolean) => void} answer
 */
function ask(form, text, answer) {
	const dialog = document.getElementById('question');
	const button = form.querySelector('button:not([type=button])');
	if (!(dialog instanceof HTMLDialogElement) || !button) return;
	/** @param {string} selector @param {string | null} words */
	const write = (selector, words) =>
		dialog.querySelector(selector)?.replaceChildren(words?.trim() ?? '');
	write('h2', `${button.getAttribute('aria-label') ?? button.textContent.trim()}?`);
	write('p', text);
	write('[value=yes]', button.textContent);
	dialog.returnValue = '';
	dialog.addEventListener('close', () => answer(dialog.returnValue === 'yes'), { once: true });
	dialog.showModal();
}

/** @param {HTMLFormElement} form */
function clearErrors(form) {
	for (const alert of form.querySelectorAll('[role=alert]')) alert.replaceChildren();
	for (const field of form.querySelectorAll('[aria-invalid]'))
		field.removeAttribute('aria-invalid');
}

/** @param {string} words */
const sentence = (words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/**
 * Shows each part of a message, such as "amount: enter …", beside the field that it names, or else at the end of the
 * form.
 *
 * @param {HTMLFormElement} form
 * @param {string} message
 */
function showErrors(form, message) {
	for (const part of message.split('; ')) {
		const [name = '', ...rest] = part.split(': ');
		const field = form.querySelector(`[name="${CSS.escape(name)}"]`);
		field?.setAttribute('aria-invalid', 'true');
		const beside = field?.closest('label')?.nextElementSibling;
		if (beside?.matches('[role=alert]')) beside.append(sentence(rest.join(': ')), ' ');
		else form.querySelector(':scope > [role=alert]')?.append(sentence(part), ' ');
	}
	const invalid = form.querySelector('[aria-invalid]');
	if (invalid instanceof HTMLElement) invalid.focus();
}

/**
 * Handles an event of htmx: `handle` gets the request that it is about, and the event.
 *
 * @param {string} name
 * @param {(context: any, event: CustomEvent) => void} handle
 */
function on(name, handle) {
	document.addEventListener(`htmx:${name}`, (event) => {
		if (event instanceof CustomEvent) handle(event.detail.ctx, event);
	});
}

on('confirm', ({ sourceElement, confirm }, event) => {
	const { issueRequest, dropRequest } = event.detail;
	event.preventDefault();
	ask(sourceElement, confirm, (isConfirmed) => (isConfirmed ? issueRequest() : dropRequest()));
});

// The main part polls itself, unless the tab is hidden. Its ETag spares a response without news.
on('before:request', ({ sourceElement, sourceEvent, request }, event) => {
	if (sourceEvent.type === 'every' && document.hidden) event.preventDefault();
	if (sourceElement.id === 'main') request.headers['If-None-Match'] = sourceElement.dataset.etag;
	if (sourceElement instanceof HTMLFormElement) clearErrors(sourceElement);
});

/** A switch that was clicked shows what the server says only once its form is reset. */
const SWITCHES = 'form[hx-trigger=change]';

on('response:error', ({ sourceElement, text }) => {
	if (!(sourceElement instanceof HTMLFormElement)) return;
	showErrors(sourceElement, text);
	if (sourceElement.matches(SWITCHES)) sourceElement.reset();
});

on('after:swap', ({ sourceElement, swap, response }) => {
	const isSent = sourceElement instanceof HTMLFormElement && swap === 'none';
	if (isSent && response.status < 400 && !sourceElement.matches(SWITCHES)) sourceElement.reset();
	if (sourceElement.id === 'main') {
		for (const form of document.querySelectorAll(SWITCHES)) {
			if (form instanceof HTMLFormElement) form.reset();
		}
	}
	openDialog();
});

on('error', (context) => {
	if (context) show('The sandbox does not respond. Is it still running?', true);
});

// The reference cannot know the theme; its colours are in the style sheet.
const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
document.querySelector('rapi-doc')?.setAttribute('theme', isDark ? 'dark' : 'light');

// What RapiDoc has no attribute or variable for. The page itself has the title.
const look = new CSSStyleSheet();
look.replaceSync(`
	#api-title, #api-info { display: none; }
	.sub-title, .tag { font-size: 1rem !important; font-weight: 600; color: var(--fg) !important; text-transform: none; }
	div[style*='justify-content:flex-end'] { margin-top: 0.75rem; font-size: 0.8125rem; }
	#auth .sub-title { text-transform: lowercase; }
	#auth .sub-title::first-letter { text-transform: uppercase; }
	.m-btn, input { border-radius: 0.5rem !important; box-shadow: none !important; }
`);
void customElements
	.whenDefined('rapi-doc')
	.then(() => document.querySelector('rapi-doc')?.shadowRoot?.adoptedStyleSheets.push(look));
