import { type Purchase, SandboxClient, SandboxError, type SimulationResult } from '../client.ts';
import { StartError } from '../http/errors.ts';
import { STEPS } from '../simulate/lifecycle.ts';
import { httpUrl, oneOf, parse, UsageError } from './options.ts';

const EVENTS = ['purchase', 'decline', ...STEPS] as const;

const INCREMENT = '10.00';

/** The options of `trigger`. */
interface TriggerOptions {
	event: (typeof EVENTS)[number];
	url: URL;
	transactionId: string | undefined;
	cardId: string | undefined;
	amount: string | undefined;
	country: string | undefined;
}

/**
 * Simulates an event in a running sandbox, as the command line says; prints what it wrote as JSON. Gives the exit
 * code: 1 for a purchase or an increment that was declined.
 */
export async function trigger(args: string[]): Promise<number> {
	const options = parseTrigger(args);
	const client = new SandboxClient(options.url.origin);
	const result = await simulate(client, options).catch((error: unknown) => {
		if (error instanceof SandboxError) throw error;
		throw new StartError(`no sandbox responds at ${options.url.origin}`, { cause: error });
	});
	console.log(JSON.stringify(result, null, 2));
	const { event, deliveries } = result;
	if (deliveries.length === 0) {
		console.error("sandbox: nobody receives the event: the card's account has no endpoint");
	}
	if (event.isSuccess || options.event === 'decline') return 0;
	const reasons = event.issues.map(({ reason }) => reason).join(', ');
	console.error(`sandbox: the platform declined the purchase: ${reasons}`);
	return 1;
}

function parseTrigger(args: string[]): TriggerOptions {
	const { values, positionals } = parse({
		args,
		allowPositionals: true,
		options: {
			url: { type: 'string', default: 'http://localhost:4010' },
			transaction: { type: 'string' },
			card: { type: 'string' },
			amount: { type: 'string' },
			country: { type: 'string' },
		},
	});
	const [event, ...more] = positionals;
	if (more.length > 0) throw new UsageError('trigger simulates one event');
	const { transaction, card, amount, country } = values;
	const options = {
		event: oneOf('the event', EVENTS, event),
		url: httpUrl(values.url),
		transactionId: transaction,
		cardId: card,
		amount,
		country,
	};
	const isNew = options.event === 'purchase' || options.event === 'decline';
	if (transaction !== undefined && (isNew || card !== undefined || country !== undefined)) {
		throw new UsageError(
			'--transaction continues a purchase: it needs another event, and neither --card nor --country',
		);
	}
	return options;
}

/** A step needs a purchase, and a refund a cleared one: without --transaction they are made first, and the step is about all. */
async function simulate(client: SandboxClient, options: TriggerOptions): Promise<SimulationResult> {
	const { event, transactionId, amount } = options;
	if (event === 'purchase' || event === 'decline') return client.authorize(purchaseOf(options));
	const added = event === 'increment' ? (amount ?? INCREMENT) : undefined;
	if (transactionId !== undefined) {
		return client.simulateStep(event, transactionId, added ?? amount);
	}
	const purchase = purchaseOf(added === undefined ? options : { ...options, amount: undefined });
	const bought = await client.authorize(purchase);
	if (!bought.event.isSuccess) return bought;
	const { id } = bought.transaction;
	if (event === 'refund') await client.simulateStep('clearing', id);
	return client.simulateStep(event, id, added);
}

function purchaseOf({ event, cardId, amount, country }: TriggerOptions): Purchase {
	const isDecline = event === 'decline';
	return {
		cardId,
		amount: amount ?? (isDecline ? '649.00' : '42.50'),
		merchantName: isDecline ? 'VOLTBARN ELECTRONICS' : 'PAPERWORKS SUPPLY CO',
		merchantCountry: country ?? 'US',
		decline: isDecline ? { reason: 'suspected_fraud' } : undefined,
	};
}
