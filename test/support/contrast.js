/**
 * Runs in a page, as an expression: gives every visible text whose contrast with what lies behind it
 * is below 4.5, the WCAG AA minimum for body text. Behind an open dialog nothing is looked at.
 */
(() => {
	const MINIMUM = 4.5;

	/** @param {string} css a computed colour */
	const parse = (css) => {
		const [red = 0, green = 0, blue = 0, alpha = 1] = (css.match(/[\d.]+/g) ?? []).map(Number);
		return { rgb: [red, green, blue], alpha };
	};

	/** @param {number[]} rgb */
	const luminance = (rgb) => {
		const [red = 0, green = 0, blue = 0] = rgb.map((channel) => {
			const share = channel / 255;
			return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
		});
		return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
	};

	/** @param {Element | null} element @returns {number[]} */
	const behind = (element) => {
		if (!element) return [255, 255, 255];
		const { rgb, alpha } = parse(getComputedStyle(element).backgroundColor);
		if (alpha === 1) return rgb;
		const below = behind(element.parentElement);
		return rgb.map((channel, index) => channel * alpha + (below[index] ?? 0) * (1 - alpha));
	};

	/** @param {Element} element @param {string} color */
	const contrast = (element, color) => {
		const [one, two] = [luminance(parse(color).rgb), luminance(behind(element))];
		return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
	};

	const root = document.querySelector('dialog[open]') ?? document.body;
	const seen = [...root.querySelectorAll('*')].filter((element) => element.checkVisibility());
	const texts = seen.flatMap((element) => {
		const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
		const text = own.map((node) => node.textContent?.trim() ?? '').join('');
		if (text !== '') return [{ text, element, color: getComputedStyle(element).color }];
		if (
			!(element instanceof HTMLInputElement) ||
			element.matches('[type=checkbox], [type=radio]')
		) {
			return [];
		}
		const pseudo = element.value === '' ? '::placeholder' : null;
		const { color } = getComputedStyle(element, pseudo);
		return [{ text: element.value || element.placeholder, element, color }];
	});
	const measured = texts
		.filter(({ text }) => text !== '')
		.map(({ text, element, color }) => ({ text, contrast: contrast(element, color) }));
	return { count: measured.length, low: measured.filter((each) => each.contrast < MINIMUM) };
})();
