const moment = new Intl.DateTimeFormat('en', {
	month: 'short',
	day: 'numeric',
	hour: '2-digit',
	minute: '2-digit',
	second: '2-digit',
	hourCycle: 'h23',
});

/**
 * Gives an amount for people: '1250.00' and 'USD' become '$1,250.00'.
 *
 * @param {string} amount decimal string (§2)
 * @param {string} [currency] ISO 4217 code
 */
export const money = (amount, currency = 'USD') =>
	new Intl.NumberFormat('en', { style: 'currency', currency }).format(Number(amount));

/**
 * Gives a time for people, in their time zone.
 *
 * @param {string} time RFC 3339
 */
export const when = (time) => moment.format(new Date(time));

/**
 * Gives a word of the API for people: 'suspected_fraud' becomes 'suspected fraud'.
 *
 * @param {string} value
 */
export const words = (value) => value.replaceAll('_', ' ');

/**
 * Gives a card's name with its last four digits.
 *
 * @param {{ name: string, lastFour: string }} card
 */
export const cardName = ({ name, lastFour }) => `${name} •• ${lastFour}`;
