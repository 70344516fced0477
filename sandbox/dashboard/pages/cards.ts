import { html } from 'hono/html';
import type { Html } from '../layout.ts';

/** The cards of each account, as tiles. */
export const cardsPage = (): Html => html`
	<p id="cards-state" class="muted" hidden></p>
	<div id="accounts"></div>
	<p id="no-cards" class="empty" hidden>No cards.</p>
`;
