// The colours of Bootstrap and RapiDoc follow the system's. Loaded first, so that no page flashes.

const dark = matchMedia('(prefers-color-scheme: dark)');

function follow() {
	const [theme, primary] = dark.matches ? ['dark', '#6ea8fe'] : ['light', '#0a58ca'];
	document.documentElement.setAttribute('data-bs-theme', theme);
	const reference = document.querySelector('rapi-doc');
	reference?.setAttribute('theme', theme);
	reference?.setAttribute('primary-color', primary);
}

follow();
dark.addEventListener('change', follow);
document.addEventListener('DOMContentLoaded', follow);
