/** Keywords that may stand beside a `$ref`: they tell about its use and restrict nothing. */
const ANNOTATIONS = new Set(['description', 'deprecated', 'x-assumption']);

/**
 * Gives a JSON document with every local `$ref` replaced by what it points to. Throws an Error for
 * a pointer that leads nowhere or out of the document, and for a keyword beside a `$ref` that is no
 * annotation.
 */
export function resolveReferences(document: unknown): unknown {
	const resolve = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(resolve);
		if (!isObject(value)) return value;
		const { $ref, ...rest } = value;
		const resolved = Object.fromEntries(
			Object.entries(rest).map(([key, each]) => [key, resolve(each)]),
		);
		if (typeof $ref !== 'string') return resolved;
		const misplaced = Object.keys(rest).find((key) => !ANNOTATIONS.has(key));
		if (misplaced !== undefined) throw new Error(`${misplaced} stands beside the $ref ${$ref}`);
		const target = resolve(pointedAt(document, $ref));
		return isObject(target) ? { ...target, ...resolved } : target;
	};
	return resolve(document);
}

function pointedAt(document: unknown, pointer: string): unknown {
	const [root, ...steps] = pointer.split('/');
	let value = root === '#' ? document : undefined;
	for (const step of steps) value = isObject(value) ? value[step] : undefined;
	if (value === undefined) throw new Error(`the $ref ${pointer} leads nowhere`);
	return value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
