import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail server that takes every mail but those to nobody@example.com, and passes none on. */
export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** An email as programs show it, with its attachments. Without plain text, `text` is the HTML. */
export type Mail = Awaited<ReturnType<typeof readMail>>;

async function readMail(bytes: Buffer) {
	const { subject, to, text, html = '', attachments } = await PostalMime.parse(bytes);
	const files = attachments.map(({ filename, content }) => ({
		name: filename,
		content: Buffer.from(content as ArrayBuffer),
	}));
	return { subject, to, text: (text ?? html).trim(), files };
}

/** Starts a mail server on this machine. */
export async function startMailServer() {
	/** Oldest first. */
	const mails: Mail[] = [];
	const smtp = new SMTPServer({
		disabledCommands: ['AUTH', 'STARTTLS'],
		onRcptTo: ({ address }, _, done) =>
			done(address.startsWith('nobody@') ? new Error('No such user') : null),
		onData: (stream, _, done) => {
			const read = buffer(stream).then(readMail);
			read.then((mail) => done(void mails.push(mail)), done);
		},
	});
	const server = smtp.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		/** What n8n's credential for SMTP holds. */
		credential: { host: '127.0.0.1', port, secure: false, disableStartTls: true },
		mails,
		close: () => new Promise<void>((closed) => smtp.close(closed)),
	};
}
