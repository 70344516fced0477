// What htmx cannot do: the clipboard, dialogs, errors beside their fields, and pausing while nobody looks.

const notices = document.getElementById('notice');

/**
 * Shows a message for some seconds, above everything else; screen readers read it out.
 *
 * @param {string} message
 */
function show(message, isError = false) {
	const notice = document.createElement('p');
	notice.className = `toast-message m-0 px-3 py-2 ${isError ? 'error' : ''}`;
	notice.textContent = message;
	notices?.replaceChildren(notice);
}

// What is shown last is on top, also of a dialog.
if (notices) {
	new MutationObserver(() => {
		notices.hidePopover();
		if (notices.hasChildNodes()) notices.showPopover();
	}).observe(notices, { childList: true });
	notices.addEventListener('animationend', ({ animationName }) => {
		if (animationName === 'gone') notices.replaceChildren();
	});
}

/** @param {string} value */
async function copy(value) {
	try {
		await navigator.clipboard.writeText(value);
		show('Copied to the clipboard.');
	} catch {
		show('The browser does not allow it here: select the value and copy it.', true);
	}
}

document.addEventListener('click', ({ target }) => {
	const button = target instanceof Element ? target.closest('button') : null;
	if (button?.dataset['copy'] !== undefined) void copy(button.dataset['copy']);
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

document.addEventListener('htmx:confirm', (event) => {
	if (!(event instanceof CustomEvent)) return;
	const { ctx, issueRequest, dropRequest } = event.detail;
	event.preventDefault();
	ask(ctx.sourceElement, ctx.confirm, (isConfirmed) =>
		isConfirmed ? issueRequest() : dropRequest(),
	);
});

/** @param {HTMLFormElement} form */
function clearErrors(form) {
	for (const alert of form.querySelectorAll('[role=alert]')) alert.replaceChildren();
	for (const field of form.querySelectorAll('[aria-invalid]'))
		field.removeAttribute('aria-invalid');
}

/** @param {string} words */
const sentence = (words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/**
 * Shows each part of a message, such as "amount: expected …", beside the field that it names, or else at the end of
 * the form.
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
		else form.querySelector(':scope > [role=alert]')?.append(part, ' ');
	}
	const invalid = form.querySelector('[aria-invalid]');
	if (invalid instanceof HTMLElement) invalid.focus();
}

document.addEventListener('htmx:before:request', (event) => {
	if (!(event instanceof CustomEvent)) return;
	const { sourceElement, sourceEvent } = event.detail.ctx;
	if (sourceEvent.type === 'every' && document.hidden) event.preventDefault();
	if (sourceElement instanceof HTMLFormElement) clearErrors(sourceElement);
});

document.addEventListener('htmx:response:error', (event) => {
	if (!(event instanceof CustomEvent)) return;
	const { sourceElement, text } = event.detail.ctx;
	if (sourceElement instanceof HTMLFormElement) showErrors(sourceElement, text);
});

document.addEventListener('htmx:after:swap', (event) => {
	if (!(event instanceof CustomEvent)) return;
	const { sourceElement, swap, response } = event.detail.ctx;
	if (sourceElement instanceof HTMLFormElement && swap === 'none' && response.status < 400) {
		sourceElement.reset();
	}
	openDialog();
});

document.addEventListener('htmx:error', (event) => {
	if (!(event instanceof CustomEvent) || !event.detail.ctx) return;
	show('The sandbox does not respond. Is it still running?', true);
});
