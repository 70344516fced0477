import { text } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';

import { freePort } from '../../harness/tools/ports.ts';

/** A mail server that takes every mail, and passes none on. */
export interface MailServer {
	/** What n8n's credential for SMTP holds. */
	credential: object;
	/** The mails as they were sent, oldest first, with the line ends of Base64 removed. */
	mails: string[];
	close: () => Promise<void>;
}

/** Starts a mail server on this machine. */
export async function startMailServer(): Promise<MailServer> {
	const mails: string[] = [];
	const server = new SMTPServer({
		disabledCommands: ['AUTH', 'STARTTLS'],
		onData: (stream, _, done) => {
			text(stream).then(
				(mail) => {
					mails.push(mail.replaceAll(/(?<=\S{76})\r\n(?=\S)/g, ''));
					done();
				},
				(error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
			);
		},
	});
	const port = await freePort();
	await new Promise<void>((listening) => {
		server.listen(port, '127.0.0.1', listening);
	});
	const close = () => new Promise<void>((closed) => server.close(closed));
	const credential = { host: '127.0.0.1', port, secure: false, disableStartTls: true };
	return { credential, mails, close };
}
