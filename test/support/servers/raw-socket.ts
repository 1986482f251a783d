import { once } from 'node:events';
import { connect } from 'node:net';

/** A response on a connection. */
export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Time after which a silent connection is closed. It only ends tests that hang. */
const SILENCE_MS = 5_000;

/**
 * Writes bytes to a new connection, and reads every response until the server closes. Ends the writing side, unless the
 * request asks the server to close: Node.js drops a request whose client ends before it is answered.
 */
export async function exchange(port: number, chunks: readonly (string | Buffer)[]): Promise<RawResponse[]> {
  const socket = connect({ host: '127.0.0.1', port });
  socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error('the server neither answered nor closed')));
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  const closed = once(socket, 'close');
  let failure: NodeJS.ErrnoException | undefined;
  socket.on('error', (error) => {
    failure = error;
  });
  for (const chunk of chunks) socket.write(typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk);
  if (!chunks.join('').includes('\r\nConnection: close\r\n')) socket.end();
  await closed;
  // When the server closes while the client still writes, the connection is reset. The responses before that count.
  if (failure && !['ECONNRESET', 'EPIPE'].includes(failure.code ?? '')) throw failure;
  return responsesIn(Buffer.concat(received));
}

function responsesIn(bytes: Buffer): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) throw new Error(`no complete response head in ${JSON.stringify(rest.toString('latin1'))}`);
    const [line = '', ...fields] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
    if (!status) throw new Error(`not a status line: ${JSON.stringify(line)}`);
    const headers = Object.fromEntries(
      fields.map((field) => [
        field.slice(0, field.indexOf(':')).toLowerCase(),
        field.slice(field.indexOf(':') + 1).trim(),
      ]),
    );
    rest = rest.subarray(end + 4);
    if (status === 100) continue;
    const length = status === 204 ? 0 : Number(headers['content-length'] ?? 0);
    responses.push({ status, headers, body: rest.subarray(0, length).toString('utf8') });
    rest = rest.subarray(length);
  }
  return responses;
}
