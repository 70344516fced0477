import type { SandboxControl } from '../../../harness/scenario/company.ts';
import { requestJson, requestOk } from '../../../harness/tools/json.ts';
import { z } from 'zod';

const stepSchema = z.object({ transaction: z.object({ id: z.string() }) });

/** Puts fault rules of the sandbox into force instead of those before. */
export async function setFaults({ url }: SandboxControl, rules: object[]): Promise<void> {
	await requestOk(`${url}/sandbox/faults`, { method: 'PUT', body: { rules } });
}

/** Takes a transaction further: clearing, release, reversal or refund; gives the id of the transaction that this is about. */
export async function step(
	{ url }: SandboxControl,
	name: 'clearing' | 'release' | 'reversal' | 'refund',
	transactionId: string,
	amount?: string,
): Promise<string> {
	const body = { transactionId, amount };
	const address = `${url}/sandbox/simulate/${name}`;
	return (await requestJson(address, stepSchema, { method: 'POST', body })).transaction.id;
}
