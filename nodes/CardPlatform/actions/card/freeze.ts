import { changeStatus } from './changeStatus';

/** POST /cards/{card-id}/freeze (§3, §4.5). */
export const freeze = changeStatus('freeze', 'frozen', {
	name: 'Freeze',
	action: 'Freeze a card',
	description: 'Block new purchases until the card is unfrozen',
});
