import { changeStatus } from './changeStatus';

/** POST /cards/{card-id}/archive (§3, §4.5). */
export const archive = changeStatus('archive', 'archived', {
	name: 'Archive',
	action: 'Archive a card permanently',
	risk: 'cannot be undone',
	description: 'Permanently close a card. Cannot be undone',
});
