const { dest, parallel, series, src } = require('gulp');
const { rm } = require('node:fs/promises');

/** Starts every build from nothing, so that a renamed file leaves no stale twin in the package. */
const clean = async () => await rm('dist', { recursive: true, force: true });

const icons = () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));

/** Codex files and output schemas, which n8n reads from beside the compiled nodes. */
const nodeData = () => src('nodes/**/*.json', { base: '.' }).pipe(dest('dist'));

exports.clean = clean;
exports.assets = parallel(icons, nodeData);
exports.default = series(clean, exports.assets);
