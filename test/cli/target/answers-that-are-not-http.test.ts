import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { svc } from '../../support/cli/binary.js';

/** Tests servers that answer with any bytes: they are sent as written here, in one piece. */

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const COUNTED = 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n';

const listening: Server[] = [];

afterEach(() => {
  for (const server of listening.splice(0)) server.close();
});

/** Starts a server that sends these bytes to every client, and closes the connection. */
async function say(bytes: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(bytes));
  }).listen(0, '127.0.0.1');
  listening.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

describe('a command whose server', () => {
  it.each([
    ['does not speak HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'the response is not HTTP'],
    ['sends nothing', '', 'connection closed'],
    ['starts with a wrong chunk length', `${CHUNKED}ZZZ\r\n`, 'the response is not HTTP'],
    ['continues with a wrong chunk length', `${CHUNKED}1\r\n{\r\nZZZ\r\n`, 'the response is not HTTP'],
    ['closes between two chunks', `${CHUNKED}1\r\n{\r\n`, 'connection closed'],
    ['closes after the headers', COUNTED, 'connection closed'],
    ['closes in the body', `${COUNTED}{"success":`, 'connection closed'],
  ])('%s exits with 5 and an explanation', async (_, bytes, reason) => {
    const baseUrl = await say(bytes);
    const list = ['emails', 'list', '--retries', '0', '--base-url', baseUrl, '--api-key', 'svc_test_x'];
    const message = `${reason === 'connection closed' ? 'No answer from' : 'Cannot connect to'} ${baseUrl}: ${reason}.`;

    const human = await svc(list);
    expect({ code: human.code, stdout: human.stdout }).toEqual({ code: 5, stdout: '' });
    const advice = expect.stringContaining('"svc dev"');
    expect(human.stderr.trimEnd().split('\n')).toEqual([`Using ${baseUrl}`, `Error: ${message}`, advice]);

    const { code, stdout, stderr } = await svc([...list, '--json']);
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'unreachable', message, status: null });
  });
});
