import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DevServer, startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { type Listening, startListening } from '../../support/cli/listening.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { resetServer } from '../../support/servers/server-calls.js';

describe('the target and the output of webhooks listen', () => {
  let folder: ReturnType<typeof temporaryDirectory>;
  let dev: DevServer;
  let receiver: Receiver;
  let status: number;
  let listening: Listening | undefined;

  beforeAll(async () => {
    folder = temporaryDirectory();
    dev = await startDev(['--data-dir', folder.path]);
  });
  beforeEach(async () => {
    await resetServer(dev.ready);
    status = 200;
    receiver = await startReceiver((response) =>
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('\u001b[2Jwhat it said'),
    );
  });

  afterEach(async () => {
    listening?.child.kill('SIGKILL');
    listening = undefined;
    await receiver.close();
  });
  afterAll(async () => {
    await dev.stop('SIGKILL');
    folder.remove();
  });

  it.each([
    ['a bare port', (port: string) => `:${port}/hooks?x=1&y=%20`],
    ['a port without a colon', (port: string) => `${port}/hooks?x=1&y=%20`],
    ['a host and a port', (port: string) => `127.0.0.1:${port}/hooks?x=1&y=%20`],
    ['a whole URL', (port: string) => `http://127.0.0.1:${port}/hooks?x=1&y=%20`],
  ])('keeps path, query and extra headers with %s', async (_, form) => {
    await listen(form(new URL(receiver.url).port), ['-H', 'X-One: 1', '-H', 'X-Two: a: b']);

    await send();
    const [first] = await receiver.until(1);

    expect(first!.path).toBe('/hooks?x=1&y=%20');
    expect(first!.headers).toMatchObject({ 'x-one': '1', 'x-two': 'a: b' });
  });

  it.each([
    [302, 'Redirects count as failures; forward to the target: /elsewhere.'],
    [401, 'Your handler rejected the request: does it use this webhook’s secret'],
    [404, 'Your server has no route for /hooks.'],
    [500, 'Your handler failed'],
  ])('names a likely cause of %i, and shows the start of the response', async (answer, cause) => {
    status = answer;
    const { until } = await listen(receiver.url);

    await send();

    const text = (
      await until((line) => /Next attempt at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)\.$/.test(line))
    ).join('\n');
    expect(text).toMatch(new RegExp(`email\\.sent +${answer} .*attempt 1/4`));
    expect(text).toContain(cause);
    expect(text).toContain('[2Jwhat it said');
    expect(text).not.toContain('\u001b');
  });

  it('names a likely cause when the port does not speak TLS', async () => {
    const { until } = await listen(receiver.url.replace('http:', 'https:'));

    await send();

    const text = (await until((line) => /Next attempt/.test(line))).join('\n');
    expect(text).toContain(`the port does not speak TLS; try ${receiver.url}`);
  });

  it.each([
    ['a misspelled event', ['--events', 'email.bounce'], /Did you mean email\.bounced\?/],
    ['a header without a value', ['-H', 'X-One'], /--header must be "Name: value"/],
    ['an empty pattern', ['--to', ''], /--to must not be empty/],
    [
      'a public URL with a local server',
      ['--public-url', 'https://t.example'],
      /--public-url cannot be used with the local server/,
    ],
  ])('exits with 2 for %s', async (_, args, message) => {
    const listen = ['webhooks', 'listen', '--forward-to', ':3000', '--data-dir', folder.path];
    const { code, stdout, stderr } = await svc([...listen, ...args]);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it.each(['ftp://localhost/x', 'http://', ':99999/x', 'a b'])('exits with 2 for --forward-to %s', async (url) => {
    const { code, stderr } = await svc(['webhooks', 'listen', '--forward-to', url, '--data-dir', folder.path]);

    expect(code).toBe(2);
    expect(stderr).toContain('--forward-to must be');
  });

  it('names the option of the server that allows plain http to another host', async () => {
    const listen = ['webhooks', 'listen', '--forward-to', 'http://other.example/hooks', '--data-dir', folder.path];
    const { code, stderr } = await svc(listen);

    expect(code).toBe(1);
    expect(stderr).toContain('svc dev --allow-webhook-host other.example');
  });

  async function listen(forwardTo: string, args: string[] = []): Promise<Listening> {
    const all = ['--forward-to', forwardTo, '--events', 'email.sent', '--data-dir', folder.path, ...args];
    listening = await startListening(all, { json: false });
    return listening;
  }

  async function send(): Promise<void> {
    const sent = await svc(['emails', 'send', '--to', 'ada@example.test', '--data-dir', folder.path]);
    expect(sent.code).toBe(0);
  }
});
