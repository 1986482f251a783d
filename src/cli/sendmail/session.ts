import { once } from 'node:events';
import { connect } from 'node:net';
import { relayName } from '../../contract/vocabulary/smtp.js';
import type { MailServer } from './deliver.js';
import { SendmailError, sysexits } from './options.js';

/** Time without a reply after the end of stdin, as in the middle of a message. */
const SILENCE_MS = 10_000;

/**
 * Connects stdin and stdout with the SMTP port, for `-bs`. Resolves when the server has closed the connection. The end
 * of stdin quits the session, and not the connection: the server may still have to reply.
 * @throws SendmailError if the server is unreachable.
 */
export async function passSession({ host, port }: MailServer): Promise<void> {
  const socket = connect({ host, port, allowHalfOpen: true });
  await once(socket, 'connect').catch((error: Error) => {
    throw new SendmailError(
      `Cannot connect to ${relayName({ host, port })}: ${error.message}`,
      sysexits.temporaryFailure,
    );
  });
  // Writes after the server has closed the connection.
  socket.on('error', () => {});
  process.stdin.pipe(socket, { end: false });
  process.stdin.once('end', () => {
    socket.write('QUIT\r\n');
    socket.setTimeout(SILENCE_MS, () => socket.destroy());
  });
  socket.pipe(process.stdout, { end: false });
  await Promise.race([once(socket, 'end'), once(socket, 'close')]);
  process.stdin.unpipe(socket).destroy();
  socket.destroy();
}
