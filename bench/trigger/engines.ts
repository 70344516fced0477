/** A way of n8n's to evaluate expressions. */
export interface Engine {
	/** What reports call it. */
	name: string;
	/** n8n's settings for it. */
	settings: Readonly<Record<string, string>>;
	/** Deliveries of one turn: short turns, as the machine may have other work now and then. */
	deliveries: number;
}

/** n8n as it comes: an isolate for each execution, and for each delivery. */
export const byDefault: Engine = { name: 'default engine', settings: {}, deliveries: 40 };

/** The same isolates, made when the first expression is evaluated. */
export const whenNeeded: Engine = {
	name: 'default engine, lazy',
	settings: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
	deliveries: 60,
};

/** No isolates. */
export const legacy: Engine = {
	name: 'legacy engine',
	settings: { N8N_EXPRESSION_ENGINE: 'legacy' },
	deliveries: 120,
};
