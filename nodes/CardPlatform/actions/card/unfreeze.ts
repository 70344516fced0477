import { changeStatus } from './changeStatus';

/** POST /cards/{card-id}/unfreeze (§3, §4.5). */
export const unfreeze = changeStatus('unfreeze', 'active', {
	name: 'Unfreeze',
	action: 'Unfreeze a card',
	description: 'Allow purchases with a frozen card again',
});
