// Shows openapi.yaml by Redoc.

const { fontFamily } = getComputedStyle(document.body);

const options = {
	// Search would run in a worker from a blob: URL, which the security policy refuses.
	disableSearch: true,
	hideDownloadButton: true,
	nativeScrollbars: true,
	theme: {
		colors: { primary: { main: '#1f4e8c' } },
		sidebar: { backgroundColor: '#f6f7f9' },
		typography: {
			fontFamily,
			fontSize: '15px',
			headings: { fontFamily },
			code: { fontFamily: 'ui-monospace, Menlo, Consolas, monospace', color: '#a1262b' },
		},
	},
};

Reflect.get(globalThis, 'Redoc').init(
	'/sandbox/openapi.json',
	options,
	document.getElementById('redoc'),
);
