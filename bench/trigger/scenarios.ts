import { type Figure, type Goal, goal, goalsOf, medianOf, type PartResult } from '../result.ts';
import {
	all,
	bareWebhook,
	naiveTrigger,
	type Receiver,
	stripeTrigger,
	thisTrigger,
	webhookAndCode,
	webhookAndCrypto,
} from './contenders.ts';
import { byDefault, type Engine, legacy, whenNeeded } from './engines.ts';
import { perSecond } from './measure.ts';

/** A scenario of deliveries, and what is made of its figures. */
export interface Scenario {
	name: string;
	genuine: boolean;
	contenders: readonly Receiver[];
	report: (figures: Figure[]) => PartResult;
}

/** How many times as many deliveries a second this trigger takes. */
function goalOver(
	figures: readonly Figure[],
	{ name: setting }: Engine,
	{ name }: Receiver,
	wanted: number,
): () => Goal {
	const rate = (contender: string) => medianOf(figures, setting, contender, perSecond);
	const says = `deliveries a second, times those of ${name}, ${setting}`;
	return () => goal(says, rate(thisTrigger.name) / rate(name), 'at least', wanted);
}

const reference = { contender: thisTrigger.name, measure: perSecond };

const shared =
	'8 senders, each delivery a new event of about 1 KB. Nothing follows the trigger, all executions are saved (n8n’s default), and a burst is over when its last execution has ended. Times are those to the response.';

/** Genuine deliveries (goals 3). */
export const accepted: Scenario = {
	name: 'trigger',
	genuine: true,
	contenders: all,
	report: (figures) => ({
		name: 'trigger',
		title: 'Trigger: genuine deliveries',
		about: shared,
		reference,
		figures,
		goals: goalsOf(
			goalOver(figures, byDefault, naiveTrigger, 1.4),
			goalOver(figures, byDefault, stripeTrigger, 0.97),
			goalOver(figures, whenNeeded, stripeTrigger, 1.3),
			goalOver(figures, legacy, bareWebhook, 0.92),
		),
	}),
};

/** Deliveries with a wrong signature (goals 4). */
export const refused: Scenario = {
	name: 'forged',
	genuine: false,
	contenders: [thisTrigger, webhookAndCode, webhookAndCrypto, naiveTrigger, stripeTrigger],
	report: (figures) => ({
		name: 'forged',
		title: 'Trigger: forged deliveries',
		about: `${shared} This trigger, the naive one and Stripe’s leave no execution behind, which is checked; the other two leave one for each forged delivery.`,
		reference,
		figures,
		goals: goalsOf(
			goalOver(figures, byDefault, webhookAndCode, 1.4),
			goalOver(figures, legacy, webhookAndCode, 4),
		),
	}),
};
