const { dest, parallel, src } = require('gulp');
const { mkdir, rm, writeFile } = require('node:fs/promises');
const { dirname } = require('node:path');

/** Starts every build from nothing, so that a renamed file leaves no stale twin in the package. */
const clean = async () => await rm('dist', { recursive: true, force: true });

const icons = () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));

/** Codex files, which n8n reads from beside the compiled nodes. */
const codex = () => src('nodes/**/*.json', { base: '.' }).pipe(dest('dist'));

/** Output schemas, which n8n reads from beside the compiled nodes too. */
async function schemas() {
	const { outputSchemas } = await import('./dev/build/outputSchemas.ts');
	const nodes = './dist/nodes/CardPlatform';
	const { RESOURCES } = require(`${nodes}/actions/table.js`);
	const { eventSchema } = require(`${nodes}/api/event.js`);
	for (const [path, schema] of Object.entries(
		outputSchemas(require('zod'), RESOURCES, eventSchema),
	)) {
		const file = `${nodes}/__schema__/${path}.json`;
		await mkdir(dirname(file), { recursive: true });
		await writeFile(file, JSON.stringify({ ...schema, version: 1 }));
	}
}

exports.clean = clean;
exports.default = parallel(icons, codex, schemas);
