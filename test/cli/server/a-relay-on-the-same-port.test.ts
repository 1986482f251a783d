import { expect, it } from 'vitest';
import { refuseOwnRelay } from '../../../src/cli/server/local-server.js';

/** Tests which relays with the SMTP port of the server are other servers. */

it.each([
  ['127.0.0.1', '127.0.0.1', true],
  ['localhost', '127.0.0.1', true],
  ['127.0.0.1', '0.0.0.0', true],
  ['127.1', '127.0.0.1', true],
  ['2130706433', '127.0.0.1', true],
  ['::ffff:127.0.0.1', '127.0.0.1', true],
  ['0.0.0.0', '127.0.0.1', true],
  ['::1', '::', true],
  ['127.0.0.2', '127.0.0.1', false],
  ['::1', '127.0.0.1', false],
  ['192.0.2.1', '0.0.0.0', false],
])('a relay on %s, with a server on %s: refused is %s', (host, listening, isRefused) => {
  const relay = { host, port: 25, tls: 'none', login: null, verifyCertificate: true, allow: [], auto: [] } as const;
  const refuse = () => refuseOwnRelay(relay, { smtp: { host: listening, port: 25 } });
  if (isRefused) expect(refuse).toThrow('is the SMTP port of this server');
  else expect(refuse).not.toThrow();
});
