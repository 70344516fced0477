import type { DeliverySettings } from '../types.ts';

/**
 * Gives the milliseconds to wait after the `attempt`-th failed attempt (1, 2, …): exponential up to
 * a maximum (assumption DELIVERY_SETTINGS), of which `random` (0 to 1) takes off at most half, so that retries spread out.
 */
export function retryDelay(
	attempt: number,
	{ baseDelay, maxDelay }: Pick<DeliverySettings, 'baseDelay' | 'maxDelay'>,
	random: number,
): number {
	const full = Math.min(maxDelay, baseDelay * 2 ** (attempt - 1));
	return Math.round(full * (1 - random / 2));
}
