// What htmx cannot do: the clipboard, dialogs, errors beside their fields, and pausing while nobody looks.

/**
 * Shows a message for some seconds; screen readers read it out.
 *
 * @param {string} message
 * @param {'dark' | 'danger'} tone
 */
function show(message, tone = 'dark') {
	const notice = document.createElement('p');
	notice.className = `alert alert-${tone} m-0`;
	notice.textContent = message;
	document.getElementById('notice')?.replaceChildren(notice);
}

/** @param {string} value */
async function copy(value) {
	try {
		await navigator.clipboard.writeText(value);
		show('Copied to the clipboard.');
	} catch {
		show('The browser does not allow it here: select the value and copy it.', 'danger');
	}
}

document.addEventListener('click', ({ target }) => {
	const button = target instanceof Element ? target.closest('button') : null;
	if (button?.dataset['copy'] !== undefined) void copy(button.dataset['copy']);
});

// Browsers that do not know "closedby" ask whether Escape may close a dialog.
document.addEventListener('cancel', (event) => event.preventDefault(), true);

// Nothing of a secret stays in the page.
document.addEventListener(
	'close',
	({ target }) => target instanceof Element && target.remove(),
	true,
);

function openDialog() {
	const dialog = document.querySelector('dialog:not([open])');
	if (dialog instanceof HTMLDialogElement) dialog.showModal();
}

openDialog();
// On a phone, the navigation is one line.
document.querySelector('.sidebar .active')?.scrollIntoView({ block: 'nearest', inline: 'center' });

/** @param {HTMLFormElement} form */
function clearErrors(form) {
	for (const alert of form.querySelectorAll('[role=alert]')) alert.replaceChildren();
	for (const field of form.querySelectorAll('[aria-invalid]'))
		field.removeAttribute('aria-invalid');
}

/**
 * Shows each part of a message, such as "amount: expected …", beside the field that it names, or else at the end of
 * the form.
 *
 * @param {HTMLFormElement} form
 * @param {string} message
 */
function showErrors(form, message) {
	for (const part of message.split('; ')) {
		const field = form.querySelector(`[name="${CSS.escape(part.split(': ')[0] ?? '')}"]`);
		const beside = field?.closest('label')?.nextElementSibling;
		const alert = beside?.matches('[role=alert]')
			? beside
			: form.querySelector(':scope > [role=alert]');
		alert?.append(part, ' ');
		field?.setAttribute('aria-invalid', 'true');
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
	show('The sandbox does not respond. Is it still running?', 'danger');
});
