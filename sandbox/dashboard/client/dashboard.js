// What htmx cannot do: the clipboard, dialogs with their focus, and pausing while nobody looks.

/** Milliseconds for which a notice stays. */
const NOTICE_STAYS = 6_000;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let fading;

/** What had the focus before a dialog opened. @type {HTMLElement | undefined} */
let opener;

/**
 * Shows a notice or a problem for some seconds; screen readers read it out.
 *
 * @param {'notice' | 'problem'} id
 * @param {string} message
 */
function show(id, message) {
	for (const each of ['notice', 'problem']) {
		document.getElementById(each)?.replaceChildren(each === id ? message : '');
	}
	fadeLater();
}

function fadeLater() {
	clearTimeout(fading);
	fading = setTimeout(() => {
		for (const id of ['notice', 'problem']) document.getElementById(id)?.replaceChildren();
	}, NOTICE_STAYS);
}

/**
 * Copies a value. Where the browser does not allow it, the value is selected for the user to copy.
 *
 * @param {HTMLElement} button
 * @param {string} value
 */
async function copy(button, value) {
	const field = button.parentElement?.querySelector('input, code');
	if (field instanceof HTMLInputElement) field.select();
	else if (field) getSelection()?.selectAllChildren(field);
	try {
		await navigator.clipboard.writeText(value);
	} catch {
		show('notice', 'Selected: copy it with the keyboard.');
		return;
	}
	button.textContent = 'Copied';
	button.closest('dialog')?.removeAttribute('data-secret');
	show('notice', 'Copied to the clipboard.');
}

function openDialog() {
	const dialog = document.querySelector('dialog:not([open])');
	if (dialog instanceof HTMLDialogElement) dialog.showModal();
}

function closeDialog() {
	document.querySelector('dialog')?.remove();
	if (opener?.isConnected) opener.focus();
	opener = undefined;
}

openDialog();
// On a phone, the navigation is one line.
document.querySelector('.sidebar .active')?.scrollIntoView({ block: 'nearest', inline: 'center' });

document.addEventListener('click', ({ target }) => {
	if (!(target instanceof Element)) return;
	const button = target.closest('button');
	if (!button) return;
	if (button.dataset['copy'] !== undefined) void copy(button, button.dataset['copy']);
	if (button.dataset['close'] !== undefined) closeDialog();
});

// A secret is shown once: Escape must not lose it before it is copied.
document.addEventListener('keydown', (event) => {
	const dialog = document.querySelector('dialog[open]');
	if (event.key !== 'Escape' || !dialog) return;
	event.preventDefault();
	const hint = dialog.querySelector('[data-hint]');
	if (!dialog.hasAttribute('data-secret')) closeDialog();
	else if (hint) hint.textContent = 'Not copied yet. Copy it, or choose Done to close without it.';
});

document.addEventListener('htmx:before:request', (event) => {
	if (!(event instanceof CustomEvent)) return;
	const { sourceElement, sourceEvent } = event.detail.ctx;
	if (sourceEvent.type === 'every') {
		if (document.hidden) event.preventDefault();
		return;
	}
	sourceElement.querySelector('[role=alert]')?.replaceChildren();
	for (const field of sourceElement.querySelectorAll('[aria-invalid]')) {
		field.removeAttribute('aria-invalid');
	}
	const { activeElement } = document;
	if (activeElement instanceof HTMLElement && !activeElement.closest('dialog')) {
		opener = activeElement;
	}
});

document.addEventListener('htmx:after:swap', () => {
	openDialog();
	const lost = !document.querySelector('dialog') && document.activeElement === document.body;
	// What had the focus may have been replaced by what has its id.
	if (lost && opener) (opener.isConnected ? opener : document.getElementById(opener.id))?.focus();
	if (document.getElementById('notice')?.hasChildNodes()) fadeLater();
	const revealed = document.querySelector('[data-reveal]');
	if (!revealed) return;
	revealed.removeAttribute('data-reveal');
	const { top } = revealed.getBoundingClientRect();
	// Where columns are one below the other, what leads to it may fill most of the screen.
	const isNarrow = matchMedia('(width < 62rem)').matches;
	if (isNarrow || top < 0 || top > innerHeight - 120) revealed.scrollIntoView({ block: 'start' });
});

/**
 * Marks the fields that the message of a form names, such as "amount: expected …", and moves the message
 * beside the first of them.
 *
 * @param {Element} alert
 */
function markInvalid(alert) {
	const form = alert.closest('form');
	if (!form) return;
	const named = (alert.textContent ?? '').split('; ').map((part) => part.split(': ')[0] ?? '');
	const invalid = [...form.elements].filter(
		(field) => field instanceof HTMLElement && named.includes(field.getAttribute('name') ?? ''),
	);
	for (const field of invalid) field.setAttribute('aria-invalid', 'true');
	const [first] = invalid;
	if (!(first instanceof HTMLElement) || first.getAttribute('type') === 'hidden') return;
	(first.closest('label') ?? first).after(alert);
	first.focus();
}

document.addEventListener('htmx:after:swap', () => {
	for (const alert of document.querySelectorAll('form [role=alert]:not(:empty)')) {
		if (!alert.closest('form')?.querySelector('[aria-invalid]')) markInvalid(alert);
	}
});

// A switch that was used keeps its state when its attribute changes.
document.addEventListener('htmx:after:swap', () => {
	for (const control of document.querySelectorAll('input[role=switch]')) {
		if (control instanceof HTMLInputElement) control.checked = control.defaultChecked;
	}
});

document.addEventListener('htmx:error', (event) => {
	if (!(event instanceof CustomEvent) || !event.detail.ctx) return;
	show('problem', 'The sandbox does not respond. Is it still running?');
});
