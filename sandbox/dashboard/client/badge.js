import { make } from './dom.js';

/** @type {Record<string, 'good' | 'bad' | 'waiting' | 'calm'>} */
const TONES = {
	active: 'good',
	approved: 'good',
	delivered: 'good',
	settled: 'good',
	pending: 'waiting',
	declined: 'bad',
	failed: 'bad',
	failing: 'bad',
	refunded: 'calm',
	reversed: 'calm',
};

/**
 * Makes a badge that tells a status; its text tells as much as its colour.
 *
 * @param {string} status
 */
export const badge = (status) =>
	make('span', { class: `badge ${TONES[status] ?? 'calm'}` }, status);
