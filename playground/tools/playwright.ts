// By its path, as `playwright-core` alone would be n8n's own copy, of another version, and only there
// once the playground is installed.
import playwright from '../../node_modules/playwright-core/index.js';

export const { chromium, selectors } = playwright;

export type {
	Browser,
	BrowserContext,
	BrowserContextOptions,
	Locator,
	Page,
} from '../../node_modules/playwright-core/index.js';
