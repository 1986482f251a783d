import tls from 'node:tls';
import { afterEach, expect, it, vi } from 'vitest';
import { OPEN_ACCESS, type SmtpAccess } from '../../src/smtp/access.js';
import type { ListenerKind } from '../../src/smtp/listeners.js';
import { openSmtp } from '../support/mail/smtp-session.js';
import { closeSmtpServersAfterEach, listenForSmtp } from '../support/servers/smtp-server.js';

closeSmtpServersAfterEach();
afterEach(() => vi.restoreAllMocks());

it.each<[ListenerKind, string, Partial<SmtpAccess>, string]>([
  ['smtp', 'EHLO', {}, 'STARTTLS is not offered; start the server with --starttls'],
  ['lmtp', 'LHLO', {}, 'STARTTLS is not offered over LMTP'],
  ['lmtp', 'LHLO', { starttls: 'offered' }, 'STARTTLS is not offered over LMTP'],
])('a listener of %s that does not offer STARTTLS after %s with %j refuses it', async (kind, hello, access, text) => {
  const created = vi.spyOn(tls, 'createSecureContext');

  const { address } = await listenForSmtp({ access: { ...OPEN_ACCESS, ...access } }, kind);

  const session = await openSmtp(address);
  await session.reply();
  expect(await session.say(`${hello} client.example.test`)).not.toContain('STARTTLS');
  expect(await session.say('STARTTLS')).toMatch(new RegExp(`^502 .*${text}$`));
  expect(await session.say('NOOP')).toMatch(/^250 /);
  session.socket.end();
  // The library's own certificate takes time to load, and its key is public.
  expect(created).not.toHaveBeenCalled();
});
