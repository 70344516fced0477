/**
 * The Content-Security-Policy of a page: scripts, images, requests and forms from and to this origin
 * only, nothing inline. `styles` are the sources of styles.
 */
export const securityPolicy = (styles: string): string =>
	[
		"default-src 'none'",
		"script-src 'self'",
		`style-src ${styles}`,
		"img-src 'self'",
		"connect-src 'self'",
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'none'",
	].join('; ');
