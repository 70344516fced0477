import { changeStatus } from './changeStatus';

/** POST /cards/{card-id}/unfreeze (§3, §4.5). */
export const unfreeze = changeStatus('unfreeze', 'active', {
	name: 'Unfreeze',
	action: 'Unfreeze a card',
	description: 'Let a frozen card be used again; a card that is already active stays so',
});
