import { once } from 'node:events';
import { connect } from 'node:net';
import { SendmailError, sysexits } from './exit-codes.js';
import type { MailServer } from './server.js';

/**
 * Connects stdin and stdout with the SMTP port, for `-bs`. Resolves when the server has closed the connection.
 * @throws SendmailError if the server is unreachable.
 */
export async function passSession({ host, port }: MailServer): Promise<void> {
  const socket = connect({ host, port, allowHalfOpen: true });
  const failed = (error: Error) =>
    new SendmailError(`Cannot connect to ${host}:${port}: ${error.message}`, sysexits.temporaryFailure);
  await once(socket, 'connect').catch((error: Error) => {
    throw failed(error);
  });
  process.stdin.pipe(socket);
  socket.pipe(process.stdout, { end: false });
  await once(socket, 'end').catch((error: Error) => {
    throw failed(error);
  });
  process.stdin.unpipe(socket).destroy();
  socket.destroy();
}
