import { machineTimeZone } from '../harness/n8n/environment.ts';
import type { N8n } from '../harness/n8n/n8n.ts';
import type { Card } from '../harness/publicApi.ts';
import type { Automation } from '../harness/scenario/automation.ts';
import type { Outcome } from '../harness/scenario/purchase.ts';
import type { SandboxFixture } from '../harness/scenario/sandboxFixture.ts';
import type { Forgery } from './scenario.ts';

/** The company that the sandbox plays. */
export function ofCompany({ accounts, account, cards, api }: SandboxFixture): string[] {
	const names = accounts.map(({ name }) => name).join(' and ');
	return [
		`Base URL ${api.url}`,
		`${accounts.length} accounts: ${names}`,
		`${account.name} has ${cards.length} cards: ${tally(cards, 'status')}; ${tally(cards, 'type')}`,
	];
}

/** n8n, and what it listens to. */
export function ofAutomation({ n8n, webhookUrl }: Automation): string[] {
	return [
		`editor at ${n8n.url}`,
		'workflow "Auto-freeze on suspicious event" is published, its credentials are stored',
		`the sandbox sends card events to ${webhookUrl}`,
	];
}

/** A purchase and what became of it, as a timeline from the moment it was tried. */
export function ofOutcome({ purchase, card, ...outcome }: Outcome): string[] {
	const { amount, merchantName, merchantCountry, decline } = purchase;
	const result = decline ? `declined (${decline.reason})` : 'approved';
	const { execution, triedToFreeze, httpStatus, respondedInMs } = outcome;
	return [
		`${amount} USD at ${merchantName} (${merchantCountry}), ${result}, with ${describe(card)}`,
		at(outcome.sentMs, `event sent: ${outcome.event.id}`),
		at(
			outcome.deliveredMs,
			`delivery accepted: HTTP ${httpStatus ?? '?'} after ${whole(respondedInMs)} ms`,
		),
		at(
			outcome.executedMs,
			`n8n execution ${execution.id}: ${execution.status}, ${triedToFreeze ? 'froze the card' : 'nothing to freeze'}`,
		),
		at(outcome.readBackMs, `read back from the API: the card is ${card.status}`),
	];
}

/** A forged delivery and the proof that it did nothing. */
export function ofForgery({ httpStatus, respondedInMs, card, ...forgery }: Forgery): string[] {
	return [
		`the same event again, for ${describe(card)}, signed with a wrong secret`,
		at(respondedInMs, `rejected: HTTP ${httpStatus}`),
		`an ordinary purchase afterwards is execution ${forgery.next.execution.id}; n8n has recorded ${forgery.executions} in all,`,
		`one for each real event and ${forgery.strays} for the forged one; the card is ${card.status}`,
	];
}

/** Where to look while everything is up. */
export function ofPlaces(
	n8n: N8n,
	{ sandbox, api }: SandboxFixture,
	{ workflowId }: Automation,
): string[] {
	return [
		`n8n editor    ${n8n.url}/workflow/${workflowId}`,
		`              sign in as ${n8n.owner.email} with the password ${n8n.owner.password}`,
		`time zone     ${machineTimeZone}`,
		`executions    ${n8n.url}/workflow/${workflowId}/executions`,
		`Base URL      ${api.url}`,
		`dashboard     ${sandbox.url}/dashboard`,
		`n8n's log     ${n8n.process.logFile}`,
	];
}

function describe({ name, lastFour }: Card): string {
	return `the card "${name}" (…${lastFour})`;
}

function tally(cards: readonly Card[], property: 'status' | 'type'): string {
	const values = [...new Set(cards.map((card) => card[property]))].sort();
	return values
		.map((value) => `${cards.filter((card) => card[property] === value).length} ${value}`)
		.join(', ');
}

function at(ms: number, text: string): string {
	return `${`+${whole(ms)}`.padStart(8)} ms  ${text}`;
}

function whole(ms: number): string {
	return Math.round(ms).toString();
}
