import { registerHooks } from 'node:module';

// Shipped code is compiled to CommonJS: it imports its own files without an extension, and n8n-workflow in
// its CommonJS form. Run as it stands, it needs both to be found in the same way.
registerHooks({
	resolve(specifier, context, nextResolve) {
		if (specifier === 'n8n-workflow') {
			return nextResolve(specifier, { ...context, conditions: ['node', 'require'] });
		}
		const isOurs = specifier.startsWith('.') && context.parentURL?.endsWith('.ts') === true;
		const hasExtension = /\.([cm]?[jt]s|json)$/.test(specifier);
		return nextResolve(isOurs && !hasExtension ? `${specifier}.ts` : specifier, context);
	},
});
