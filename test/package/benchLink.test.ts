import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';

import { startProcess, stopProcess } from '../../harness/tools/processes.ts';

test('the network of the bench delays all bytes by its round trip, and does not change them', async () => {
	const echo = createServer((socket) => socket.pipe(socket)).listen(0, 'localhost');
	await once(echo, 'listening');
	const { port }: Partial<AddressInfo> = Object(echo.address());
	const script = join(__dirname, '..', '..', 'bench', 'server', 'link.ts');
	const link = startProcess(process.execPath, [script, String(port), '100'], { channel: true });
	try {
		const [address]: Partial<AddressInfo>[] = await once(link, 'message');
		const client = connect({ port: address?.port ?? 0, host: 'localhost' });
		const times: number[] = [];
		for (const word of ['first', 'second', 'third', 'fourth']) {
			const sentAt = performance.now();
			client.write(word);
			const [bytes] = await once(client, 'data');
			expect(String(bytes)).toBe(word);
			times.push(performance.now() - sentAt);
		}
		client.destroy();
		// What is sent first waits until a connection would be open. A clock tick is allowed for.
		expect(times[0]).toBeGreaterThan(2 * 100 - 2);
		expect(Math.min(...times)).toBeGreaterThan(100 - 2);
	} finally {
		await stopProcess(link);
		echo.close();
	}
});
