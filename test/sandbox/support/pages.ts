import { cardId, type TestSandbox } from './sandbox.ts';

/** Gives accounts, cards, merchants and four endpoints, which refuse connections, a name, and makes an event; gives the paths of all kinds of pages. */
export async function namePages(sandbox: TestSandbox, name: string): Promise<string[]> {
	const { client } = sandbox;
	const card = `/cards/${cardId(3)}`;
	for (const number of [1, 2, 3, 4]) {
		await client.subscribe(1001, `http://127.0.0.1:9/${number}/${name}`);
	}
	await sandbox.send('PATCH', '/accounts/1002', { name });
	await sandbox.send('PATCH', card, { name });
	const purchase = { cardId: cardId(3), amount: '999999999.00', merchantName: name };
	const { transaction, event, deliveries } = await client.authorize(purchase);
	await sandbox.send('POST', '/accounts/1001/transfers', { amount: '1.00', toAccountId: 1002 });
	return [
		'',
		'/cards',
		`/cards?search=${encodeURIComponent(name)}`,
		'/cards/new',
		card,
		`${card}/edit`,
		'/transactions',
		`/transactions/${transaction.id}`,
		'/payments',
		'/accounts',
		`/simulate?events=${event.id}`,
		'/webhooks',
		`/webhooks/deliveries/${deliveries[0]?.id ?? ''}`,
		'/requests',
		'/connect',
		'/workflows',
		'/controls',
		'/reference',
	];
}
