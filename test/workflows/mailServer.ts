import { createServer } from 'node:net';

import { freePort } from '../../dev/harness/tools/ports.ts';

/** A mail server that takes every mail but those to nobody@example.com, and passes none on. */
export interface MailServer {
	/** What n8n's credential for SMTP holds. */
	credential: object;
	/** The mails as they were sent, oldest first, with the line ends of Base64 removed. */
	mails: string[];
	close: () => Promise<void>;
}

/** Starts a mail server on this machine, which knows as much of SMTP as n8n speaks. */
export async function startMailServer(): Promise<MailServer> {
	const mails: string[] = [];
	const server = createServer((socket) => {
		let received = '';
		let isData = false;
		const reply = (line: string) => socket.write(`${line}\r\n`);
		socket.setEncoding('utf8').on('data', (chunk: string) => {
			received += chunk;
			const end = isData ? '\r\n.\r\n' : '\r\n';
			for (let at = received.indexOf(end); at >= 0; at = received.indexOf('\r\n')) {
				const text = received.slice(0, at);
				received = received.slice(at + end.length);
				if (isData) mails.push(text.replaceAll(/(?<=\S{75}[^=\s])\r\n(?=\S)/g, ''));
				isData = !isData && text.toUpperCase() === 'DATA';
				if (/^RCPT TO:<nobody@/i.test(text)) reply('550 No such user');
				else reply(isData ? '354 Go on' : text.toUpperCase() === 'QUIT' ? '221 Bye' : '250 OK');
				if (isData) break;
			}
		});
		reply('220 ready');
	});
	const port = await freePort();
	await new Promise<void>((listening) => {
		server.listen(port, '127.0.0.1', listening);
	});
	const close = () => new Promise<void>((closed) => server.close(() => closed()));
	const credential = { host: '127.0.0.1', port, secure: false, disableStartTls: true };
	return { credential, mails, close };
}

/** The text of a mail without attachments. */
export function textOf(mail: string): string {
	const end = mail.indexOf('\r\n\r\n');
	const [head, body] = [mail.slice(0, end), mail.slice(end + 4)];
	const bytes = /^Content-Transfer-Encoding: base64/im.test(head)
		? Buffer.from(body, 'base64')
		: Buffer.from(
				body
					.replaceAll('=\r\n', '')
					.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
						String.fromCharCode(Number.parseInt(hex, 16)),
					),
				'latin1',
			);
	return bytes.toString('utf8').replaceAll('\r\n', '\n').trim();
}
