import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Relay } from '../../../src/core/mail/release/releases.js';

/** A mail server that is not svc's own, which emails are released to. */
export interface RelayServer {
  port: number;
  received: { mailFrom: string; rcptTo: string[]; bytes: string; secure: boolean; user: string | undefined }[];
  /** Returns the settings that lead to it. */
  relay(settings?: Partial<Relay>): Relay;
  close(): Promise<void>;
}

export async function startRelayServer(options: SMTPServerOptions = {}): Promise<RelayServer> {
  const received: RelayServer['received'] = [];
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    onAuth: ({ username, password }, _session, callback) =>
      password === 'right'
        ? callback(null, { user: username })
        : callback(Object.assign(new Error('Bad credentials'), { responseCode: 535 })),
    onData(stream, { envelope, secure, user }, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk) => chunks.push(chunk));
      stream.on('end', () => {
        received.push({
          mailFrom: envelope.mailFrom ? envelope.mailFrom.address : '',
          rcptTo: envelope.rcptTo.map(({ address }) => address),
          bytes: Buffer.concat(chunks).toString(),
          secure,
          user: user as string | undefined,
        });
        callback(null, 'taken');
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    received,
    relay: (settings) => ({
      ...{ host: '127.0.0.1', port, tls: 'none', login: null, verifyCertificate: true, allow: [], auto: [] },
      ...settings,
    }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Returns an error that smtp-server replies with. */
export function reply(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
