import { setTimeout } from 'node:timers/promises';

import {
	type Delivery,
	type Purchase,
	SandboxClient,
	SandboxError,
	type SimulationResult,
} from '../client.ts';
import { StartError, UsageError } from '../http/errors.ts';
import { STEPS } from '../simulate/lifecycle.ts';
import { DECLINE, PURCHASE } from '../simulate/scenarios.ts';
import { parse } from './options.ts';

const EVENTS = ['purchase', 'decline', ...STEPS] as const;

const INCREMENT = '10.00';

/** How long the responses of receivers are waited for, in ms: a bit longer than a delivery may take. */
const LONGEST_WAIT = 12_000;

type Options = ReturnType<typeof parseTrigger>;

/**
 * Simulates an event in a running sandbox, as the command line says; prints what it wrote, and what each receiver
 * responded, as JSON. Gives the exit code: 1 for a purchase or an increment that was declined.
 */
export async function trigger(args: string[]): Promise<number> {
	const options = parseTrigger(args);
	const client = new SandboxClient(options.sandbox);
	const result = await simulate(client, options).catch((error: unknown) => {
		if (error instanceof SandboxError) throw error;
		throw new StartError(`no sandbox responds at ${options.sandbox}`, { cause: error });
	});
	const { event, transaction } = result;
	const deliveries = await responsesTo(client, event.id);
	console.log(JSON.stringify({ transaction, event, deliveries }, null, 2));
	if (deliveries.length === 0) {
		console.error("sandbox: nobody receives the event: the card's account has no endpoint");
	}
	if (event.isSuccess || options.event === 'decline') return 0;
	const reasons = event.issues.map(({ reason }) => reason).join(', ');
	console.error(`sandbox: the platform declined the purchase: ${reasons}`);
	return 1;
}

function parseTrigger(args: string[]) {
	const { values, positionals } = parse({
		args,
		allowPositionals: true,
		options: {
			sandbox: { type: 'string', default: 'http://localhost:4010' },
			amount: { type: 'string' },
			card: { type: 'string' },
			currency: { type: 'string' },
			merchant: { type: 'string' },
			category: { type: 'string' },
			mcc: { type: 'string' },
			country: { type: 'string' },
			reason: { type: 'string' },
		},
	});
	const [name, ...more] = positionals;
	if (more.length > 0) throw new UsageError('trigger simulates one event');
	const event = EVENTS.find((each) => each === name);
	if (event === undefined) {
		throw new UsageError(`the event must be one of ${EVENTS.join(', ')}, not "${name ?? ''}"`);
	}
	if (values.reason !== undefined && event !== 'decline') {
		throw new UsageError('--reason is for the event decline');
	}
	if (!/^https?:\/\//.test(values.sandbox)) {
		throw new UsageError(`--sandbox must start with http://, unlike "${values.sandbox}"`);
	}
	return { ...values, event, sandbox: values.sandbox.replace(/\/$/, '') };
}

/** Makes a purchase and, for a step, what the step needs; the step is about all of it. */
async function simulate(client: SandboxClient, options: Options): Promise<SimulationResult> {
	const { event } = options;
	const bought = await client.authorize(purchaseOf(options));
	if (event === 'purchase' || event === 'decline' || !bought.event.isSuccess) return bought;
	const { id } = bought.transaction;
	if (event === 'refund') await client.simulateStep('clearing', id);
	return client.simulateStep(event, id, event === 'increment' ? INCREMENT : undefined);
}

/** The usual purchase or decline. Its category is sent only if it is asked for: the card may not allow it. */
function purchaseOf(options: Options): Purchase {
	const { amount, reason, merchant } = options.event === 'decline' ? DECLINE : PURCHASE;
	return {
		cardId: options.card,
		amount: options.amount ?? amount,
		currency: options.currency,
		merchantName: options.merchant ?? merchant.merchantName,
		merchantCountry: options.country ?? merchant.merchantCountry,
		category: options.category,
		mcc: options.mcc ?? merchant.mcc,
		decline: reason && { reason: options.reason ?? reason },
	};
}

/** Gives the state of each delivery of an event, after its first attempt or a timeout. */
async function responsesTo(client: SandboxClient, eventId: string) {
	const last = performance.now() + LONGEST_WAIT;
	const isUntried = (each: Delivery) => each.status === 'pending' && each.attempts.length === 0;
	let deliveries = await client.deliveries({ eventId });
	while (deliveries.some(isUntried) && performance.now() < last) {
		await setTimeout(50);
		deliveries = await client.deliveries({ eventId });
	}
	return deliveries.map(({ id, url, status, attempts }) => {
		const { httpStatus = null, error = null, responseBody = '' } = attempts.at(-1) ?? {};
		return { id, url, status, attempts: attempts.length, httpStatus, error, responseBody };
	});
}
