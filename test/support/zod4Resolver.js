const { join, sep } = require('node:path');

const shipped = ['nodes', 'credentials'].map((folder) => join(__dirname, '..', '..', folder) + sep);

/** Resolves modules as Jest does, but gives the shipped code zod 4, which zod 3.25 contains. */
module.exports = (path, options) => {
	const isShipped = shipped.some((folder) => `${options.basedir}${sep}`.startsWith(folder));
	return options.defaultResolver(path === 'zod' && isShipped ? 'zod/v4' : path, options);
};
