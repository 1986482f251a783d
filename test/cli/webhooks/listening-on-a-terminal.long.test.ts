import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BINARY, type DevServer, startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { filesLoadedBy, terminalLibraryAmong } from '../../support/cli/bundle.js';
import { openTerminal, type Terminal } from '../../support/cli/terminal/terminal.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { resetServer } from '../../support/servers/server-calls.js';

let folder: ReturnType<typeof temporaryDirectory>;
let dev: DevServer;
let receiver: Receiver;

beforeAll(async () => {
  folder = temporaryDirectory();
  dev = await startDev(['--data-dir', folder.path]);
});
afterAll(async () => {
  await dev.stop('SIGKILL');
  folder.remove();
});
beforeEach(async () => {
  await resetServer(dev.ready);
  receiver = await startReceiver((response, { body }) => {
    const bounced = body.includes('email.bounced');
    response.writeHead(bounced ? 500 : 200).end(bounced ? 'no \u001b[31mbounces\u001b]0;evil\u0007 here' : 'ok');
  });
});
afterEach(() => receiver.close());

function open(args: string[] = [], env: Record<string, string> = {}): Promise<Terminal> {
  const listen = [process.execPath, BINARY, 'webhooks', 'listen', '--forward-to', receiver.url, ...args];
  return openTerminal([...listen, '--data-dir', folder.path], { env });
}

describe('webhooks listen on a terminal', () => {
  let terminal: Terminal;

  beforeEach(async () => {
    terminal = await open();
    await terminal.until(/connected/);
  });
  afterEach(() => terminal.close());

  const send = async (to: string) =>
    expect(await svc(['emails', 'send', '--to', to, '--data-dir', folder.path])).toMatchObject({ code: 0 });

  it('shows the target, the secret, and one row for each attempt with the newest at the bottom', async () => {
    await send('delivered@simulator.test');
    await send('bounced@simulator.test');

    const screen = await terminal.until(/email\.bounced/);

    expect(screen).toContain(receiver.url);
    expect(screen).toContain(dev.ready.webhook_secret);
    const rows = screen.split('\n').filter((row) => /\b1\/4\b/.test(row));
    expect(rows.map((row) => /email\.\w+/.exec(row)?.[0])).toEqual([
      'email.sent',
      'email.delivered',
      'email.sent',
      'email.bounced',
    ]);
    expect(rows[1]).toMatch(/\d\d:\d\d:\d\d {2}email\.delivered +200 +\d+ ms {2}1\/4/);
    expect(rows[3]).toMatch(/^> .* 500 .* next \d\d:\d\d:\d\d/);
  });

  it('selects with the arrows, shows payload, headers and response with Enter, without a receiver’s control sequences', async () => {
    await send('bounced@simulator.test');
    await terminal.until(/> .*email\.bounced/);
    terminal.press('Up');
    await terminal.until(/> .*email\.sent/);
    terminal.press('Down');
    await terminal.until(/> .*email\.bounced/);

    terminal.press('Enter');
    const top = await terminal.until(/X-Service-Signature: [0-9a-f]{64}/);
    expect(top).toContain('Your handler failed; see its log.');
    await terminal.until(/"type": "email\.bounced"/);
    terminal.press('NPage');
    terminal.press('NPage');
    terminal.press('NPage');
    // The letters stay, and the sequences around them are removed.
    await terminal.until(/no \[31mbounces\]0;evil here/);

    terminal.press('q');
    await terminal.until(/f filter/);
  });

  it('replays the selected delivery with r: the same bytes again', async () => {
    await send('delivered@simulator.test');
    await terminal.until(/> .*email\.delivered/);

    terminal.press('r');

    await terminal.until(/replayed evt_/);
    const [, delivered, again] = await receiver.until(3);
    expect(again!.body.equals(delivered!.body)).toBe(true);
    await terminal.until((screen) => screen.match(/email\.delivered .*200/g)?.length === 2);
  });

  it('filters with f: failed ones, then by event type', async () => {
    await send('bounced@simulator.test');
    await terminal.until(/email\.bounced/);

    terminal.press('f');
    const failed = await terminal.until(/showing failed/);
    expect(failed).not.toMatch(/email\.sent/);
    expect(failed).toMatch(/email\.bounced/);
    terminal.press('f');
    await terminal.until(/showing email\.bounced/);
    terminal.press('f');
    const sent = await terminal.until(/showing email\.sent/);
    expect(sent).not.toMatch(/email\.bounced/);
  });

  it('fits a narrow terminal when it is resized', async () => {
    await send('delivered@simulator.test');
    await terminal.until(/email\.delivered/);

    terminal.resize(40, 10);

    const screen = await terminal.until((text) => /email\.delivered +200 +1\/4/.test(text) && !/ ms /.test(text));
    expect(screen).toMatch(/q qu|f fi/);
  });

  it('is redrawn when it continues after it was stopped', async () => {
    await terminal.signal('SIGSTOP');
    await terminal.scribble();
    await terminal.until((screen) => !screen.includes('f filter'));

    await terminal.signal('SIGCONT');

    const screen = await terminal.until(/f filter/);
    expect(screen).toMatch(/^forwarding to/);
    expect(screen).not.toContain('scribbled');
  });

  it('reports that the connection to the server is lost, and that it is back', async () => {
    await dev.stop('SIGKILL');
    await terminal.until(/disconnected: /);

    dev = await startDev(['--data-dir', folder.path]);

    await terminal.until(/^connected to/m);
    await send('delivered@simulator.test');
    await terminal.until(/email\.delivered +200/);
  });

  it.each([
    ['q', 0],
    ['C-c', 130],
  ])('restores the screen on %s and exits with %i', async (key, code) => {
    terminal.press(key);

    const screen = await terminal.until(/ended with/);

    expect(screen).toContain('before');
    expect(screen).toContain(`ended with ${code}`);
    expect(screen).not.toContain('signing secret');
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('restores the screen on %s and exits with %i', async (signal, code) => {
    await terminal.signal(signal);

    const screen = await terminal.until(/ended with/);

    expect(screen).toContain(`ended with ${code}`);
    expect(screen).not.toContain('signing secret');
  });
});

describe('the command line without the live view', () => {
  it.each([
    ['--no-input', ['--no-input'], {}],
    ['CI', [], { CI: 'true' }],
    ['TERM=dumb', [], { TERM: 'dumb' }],
  ])('prints lines with %s, on a terminal too', async (_, args, env) => {
    const plain = await open(args, env as Record<string, string>);
    try {
      const screen = await plain.until(/ready: forwarding to/);
      expect(screen).toContain('before');
      expect(screen).not.toContain('q quit');
    } finally {
      await plain.close();
    }
  });

  it('loads no terminal library before it is needed', () => {
    const loaded = filesLoadedBy('webhooks/listen');

    expect(loaded.length).toBeGreaterThan(2);
    expect(terminalLibraryAmong(loaded)).toEqual([]);
  });
});
