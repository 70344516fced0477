import { changeStatus } from './changeStatus';

/** POST /cards/{card-id}/freeze (§3, §4.5). */
export const freeze = changeStatus('freeze', 'frozen', {
	name: 'Freeze',
	action: 'Freeze a card',
	description:
		'Stop a card from being used until it is unfrozen; a card that is already frozen stays so',
});
