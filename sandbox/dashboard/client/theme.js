// The colours of Bootstrap and RapiDoc follow the system's. Loaded first, so that no page flashes.

const dark = matchMedia('(prefers-color-scheme: dark)');

function follow() {
	const [theme, primary, background] = dark.matches
		? ['dark', '#8fb0ff', '#151a21']
		: ['light', '#2c55c4', '#ffffff'];
	document.documentElement.setAttribute('data-bs-theme', theme);
	const reference = document.querySelector('rapi-doc');
	reference?.setAttribute('theme', theme);
	reference?.setAttribute('primary-color', primary);
	reference?.setAttribute('bg-color', background);
}

follow();
dark.addEventListener('change', follow);
document.addEventListener('DOMContentLoaded', follow);
