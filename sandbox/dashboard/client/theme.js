// Bootstrap's colours follow the system's. Loaded before the page is shown, so that it does not flash.

const dark = matchMedia('(prefers-color-scheme: dark)');

function follow() {
	const theme = dark.matches ? 'dark' : 'light';
	document.documentElement.setAttribute('data-bs-theme', theme);
	document.querySelector('rapi-doc')?.setAttribute('theme', theme);
}

follow();
dark.addEventListener('change', follow);
document.addEventListener('DOMContentLoaded', follow);
