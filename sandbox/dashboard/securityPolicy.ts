/**
 * The Content-Security-Policy of a page: scripts, requests and forms from and to this origin only.
 * `styles` are the sources of styles.
 */
export const securityPolicy = (styles: string): string =>
	[
		"default-src 'none'",
		"script-src 'self'",
		`style-src ${styles}`,
		// Bootstrap's icons are data: URLs.
		"img-src 'self' data:",
		"connect-src 'self'",
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'none'",
	].join('; ');
