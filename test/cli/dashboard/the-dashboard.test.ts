import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { svc, temporaryDirectory } from '../../support/cli/binary.js';
import { type Dashboard, openDashboard, withoutHeartbeat } from '../../support/cli/terminal/dashboard.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { data } from '../../support/servers/server-calls.js';

describe('svc dev on a terminal', () => {
  let folder: ReturnType<typeof temporaryDirectory>;
  let dashboard: Dashboard;
  let receiver: Receiver;

  beforeEach(async () => {
    folder = temporaryDirectory();
    receiver = await startReceiver((response, { body }) => {
      const bounced = body.includes('email.bounced');
      response.writeHead(bounced ? 500 : 200).end(bounced ? 'no bounces here' : 'ok');
    });
    dashboard = await openDashboard(folder.path, { args: ['--plan', 'none', '--retry-schedule', '1h'] });
    await dashboard.until(/No emails yet/);
  });

  afterEach(async () => {
    await dashboard.close();
    await receiver.close();
    folder.remove();
  });

  const post = (path: string, body: object) =>
    data(dashboard.address(), path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const send = (to: string, content: object = {}) =>
    post('/v1/emails', { to, from: 'shop@example.test', subject: `For ${to}`, html: '<p>x</p>', ...content });
  const subscribe = () =>
    post('/v1/webhooks', { url: receiver.url, events: ['email.sent', 'email.bounced'], secret: 'whsec_of_a_test' });

  it('shows the server’s address and key; the help shows the rest', async () => {
    const { base_url, smtp, api_key, webhook_secret } = dashboard.address();
    const screen = dashboard.screen();
    expect(screen).toContain(`API ${base_url}`);
    expect(screen).toContain(`SMTP ${smtp.host}:${smtp.port}`);
    expect(screen).toContain(`API key ${api_key}`);
    expect(screen).toMatch(/\? help {2}q quit/);

    dashboard.press('?');

    const help = await dashboard.until(/Keys:/);
    expect(help).toMatch(/ s {2,}simulate an outcome for the email/);
    dashboard.press('End');
    const end = await dashboard.until(/Press Ctrl-C to stop/);
    expect(end).toContain(`Webhook secret  ${webhook_secret}`);
    expect(end).toContain('svc emails send --to');
    dashboard.press('Escape');
    await dashboard.until(/No emails yet/);
  });

  it('shows emails, events, deliveries and requests as they arrive, the newest first, and none of its own calls', async () => {
    await subscribe();
    await send('ada@example.test');
    await send('bounced@simulator.test');

    const screen = await dashboard.until(
      (text) => /\d bounced +bounced@/.test(text) && text.match(/×1/g)?.length === 3,
    );

    expect(screen).toMatch(/\[Emails 2\]/);
    expect(screen).toMatch(/Deliveries 3/);
    const mails = screen.split('\n').flatMap((row) => /^[> ] [\d:]{8} (\w+) +(\S+@\S+) +For/.exec(row)?.slice(1) ?? []);
    expect(mails).toEqual(['bounced', 'bounced@simulator.test', 'delivered', 'ada@example.test']);
    expect(screen).toMatch(/email\.bounced +bounced@simulator\.test/);
    expect(screen).toMatch(/\d 500 +email\.bounced +×1 next [\d:]{8}/);
    dashboard.press('4');
    const asked = (await dashboard.until(/\[Requests\]/)).match(/20\d (GET|POST) +\/v1\/\S+/g);
    expect(asked?.map((each) => each.replace(/ +/g, ' '))).toEqual([
      '201 POST /v1/emails',
      '201 POST /v1/emails',
      '201 POST /v1/webhooks',
    ]);
  });

  it('opens an email: its outcome, links, content and headers, without control sequences', async () => {
    await send('ada@example.test', {
      subject: 'Reset',
      html: '<a href="https://example.test/reset?token=1">x</a>',
      text: 'Dear \u001b[31mAda\u001b]0;evil\u0007',
    });
    await send('bob@example.test');
    await dashboard.until(/> .*bob@.*For bob/);
    dashboard.press('Down');
    await dashboard.until(/> .*ada@.*Reset/);

    dashboard.press('Enter');

    const screen = await dashboard.until(/Headers:/);
    expect(screen).toMatch(/^subject +Reset/m);
    expect(screen).toMatch(
      /History:\n +[\d:]{8} {2}email\.sent +evt_\w+ {2}\S+@\S+ *\n +[\d:]{8} {2}email\.delivered +evt_\w+ {2}\S+@/,
    );
    expect(screen).toMatch(/Links:\n +https:\/\/example\.test\/reset\?token=1/);
    expect(screen).toMatch(/Text:\n +Dear \[31mAda\]0;evil/);
    dashboard.press('End');
    await dashboard.until(/^ {2}To: ada@example\.test/m);
    dashboard.press('Escape');
    await dashboard.until(/> .*ada@.*Reset/);
  });

  it('simulates an outcome for the selected email, and reports when it cannot', async () => {
    await send('ada@example.test');
    await dashboard.until(/delivered +ada@/);

    dashboard.press('s');
    await dashboard.until(/Simulate an outcome: ada@example\.test, “For ada@example\.test”/);
    dashboard.press('Down');
    await dashboard.until(/> bounced/);
    dashboard.press('Enter');

    await dashboard.until(/simulated bounced: ada@example\.test bounced/);
    await dashboard.until(/> [\d:]{8} bounced +ada@/);
    await dashboard.until(/email\.bounced +ada@/);
    dashboard.press('s');
    await dashboard.until(/> delivered/);
    dashboard.press('Enter');
    await dashboard.until(/cannot simulate delivered: .*ada@example\.test is bounced/);
    dashboard.press('Enter');
    await dashboard.until(/Suppressed:\n +ada@example\.test has been suppressed since /);
  });

  it('asks which recipient the outcome is for when the email has several', async () => {
    await post('/v1/emails', {
      to: ['ada@example.test', 'bob@example.test'],
      from: 'shop@example.test',
      subject: 'For two',
      html: '<p>x</p>',
    });
    await dashboard.until(/delivered .*For two/);
    dashboard.press('s');
    await dashboard.until(/Simulate an outcome: /);
    dashboard.press('Down');
    dashboard.press('Enter');

    await dashboard.until(/Recipient to simulate bounced for: .*> ada@.*bob@example\.test.*all 2 recipients/s);
    dashboard.press('Down');
    await dashboard.until(/> bob@example\.test/);
    dashboard.press('Enter');

    await dashboard.until(/simulated bounced: bob@example\.test bounced *$/m);
  });

  it('opens a delivery: payload, headers and response; replays it, and an event', async () => {
    await subscribe();
    // Otherwise a retry, five seconds later, could be treated as a replay.
    expect(await svc(['dev', 'clock', 'freeze', '--data-dir', folder.path])).toMatchObject({ code: 0 });
    await send('bounced@simulator.test');
    await dashboard.until(/500 +email\.bounced/);
    dashboard.press('Tab');
    dashboard.press('Tab');
    await dashboard.until(/\[Deliveries 2\]/);

    dashboard.press('Enter');
    const screen = await dashboard.until(/X-Service-Signature: [0-9a-f]{64}/);
    expect(screen).toMatch(/^state +pending/m);
    expect(screen).toContain('Your handler failed; see its log.');
    expect(screen).toContain('"type": "email.bounced"');
    dashboard.press('End');
    await dashboard.until(/no bounces here/);
    dashboard.press('r');
    await dashboard.until(/replayed dlv_\w+, but it failed: 500/);
    const [, bounced, again] = await receiver.until(3);
    expect(again!.body.equals(bounced!.body)).toBe(true);

    dashboard.press('Escape');
    dashboard.press('2');
    await dashboard.until(/\[Events\]/);
    dashboard.press('Down');
    await dashboard.until(/> [\d:]{8} {2}email\.sent/);
    dashboard.press('r');
    await dashboard.until(/replayed evt_\w+: 200/);
    const received = await receiver.until(4);
    expect(received[3]!.body.equals(received[0]!.body)).toBe(true);
  });

  it('filters every pane by a text while it is typed', async () => {
    await send('ada@example.test');
    await send('bob@example.test');
    await dashboard.until((text) => /delivered +ada@/.test(text) && /delivered +bob@/.test(text));

    dashboard.press('f');
    await dashboard.until(/filter: ▏/);
    for (const key of ['B', 'o', 'q']) dashboard.press(key);
    await dashboard.until(/No rows match "Boq"/);
    dashboard.press('BSpace');
    const typed = await dashboard.until(/filter: Bo▏/);
    expect(typed).not.toContain('ada@');
    dashboard.press('Enter');

    const kept = await dashboard.until(/filter: Bo \(esc shows all\)/);
    expect(kept).toMatch(/\[Emails 1 of 2\] +Events 2$/m);
    expect(kept.match(/bob@example\.test/g)?.length).toBeGreaterThanOrEqual(3);
    expect(kept).not.toContain('ada@');
    dashboard.press('Escape');
    await dashboard.until(/\[Emails 2\].*delivered +ada@/s);
  });

  it('keeps the newest thousand, reads them on scrolling, and reports where older ones are', async () => {
    const SENT = 1_010;
    for (let mail = 0; mail < SENT; mail += 10) {
      const batch = Array.from({ length: 10 }, (_, index) => send(`mail-${mail + index}@example.test`));
      await Promise.all(batch);
    }
    await dashboard.until(/\[Emails 1010\]/);

    // The end moves away as more is read: each press shows a change, or the rows that were read meanwhile do.
    let screen = dashboard.screen();
    for (let press = 0; press < 50 && !screen.includes('older rows: svc emails list'); press += 1) {
      const before = screen;
      dashboard.press('End');
      screen = await dashboard.until((now) => now !== before);
    }
    expect(screen).toContain('older rows: svc emails list');

    expect(screen).toMatch(/> .*mail-\d+@example/);
    dashboard.press('Home');
    await dashboard.until(/> .*mail-100\d@example/);
  });

  it('fits the terminal when it is resized: four panes, one, or none in a small terminal', async () => {
    await send('ada@example.test');
    const large = await dashboard.until(/delivered +ada@/);
    expect(large).toMatch(/\[Emails 1\] +Events/);
    expect(large).toMatch(/Deliveries 0 +Requests/);

    dashboard.resize(60, 15);
    const small = await dashboard.until(/\[Emails 1\] Events {2}Deliveries 0 {2}Requests/);
    expect(small).toMatch(/> [\d:]{8} delivered +ada@example\.test/);
    expect(small).toMatch(/\? help {2}q quit/);
    expect(small).not.toContain('email.sent');
    dashboard.press('Tab');
    await dashboard.until(/> [\d:]{8} {2}email\.delivered/);

    dashboard.resize(40, 12);
    const { base_url, smtp, api_key } = dashboard.address();
    const lines = (await dashboard.until(/^SMTP/m)).split('\n');
    expect(lines[0]).toBe(`svc dev  API ${base_url}`);
    expect(lines[1]).toBe(`SMTP ${smtp.host}:${smtp.port}`);
    expect(lines[2]).toContain(`API key ${api_key.slice(0, 16)}`);
    expect(lines[3]).toContain('[Events]');

    dashboard.resize(35, 12);
    const tiny = await dashboard.until(/35x12 is too small/);
    expect(tiny).toContain('40x10');
    dashboard.resize(120, 30);
    await dashboard.until(/Emails 1 +\[Events\]/);
  });

  it('is redrawn when it continues after it was stopped, and accepts keys as before', async () => {
    await send('ada@example.test');
    await dashboard.until(/delivered +ada@/);
    await dashboard.signal('SIGSTOP');
    await dashboard.scribble();
    await dashboard.until((screen) => !screen.includes('q quit'));

    await dashboard.signal('SIGCONT');

    const screen = await dashboard.until(/delivered +ada@/);
    expect(screen).toMatch(/^svc dev {2}API /);
    expect(screen).toMatch(/\? help {2}q quit/);
    expect(screen).not.toContain('scribbled');
    dashboard.press('?');
    await dashboard.until(/Keys:/);
  });

  it('shows what the database contains already, and empties every pane at once with a reset', async () => {
    await send('ada@example.test');
    await dashboard.until(/delivered +ada@/);
    dashboard.press('q');
    await dashboard.until(/ended with 0/);
    await dashboard.close();

    const { env, caught } = withoutHeartbeat(folder.path);
    dashboard = await openDashboard(folder.path, { env });
    await dashboard.until(/delivered +ada@/);
    // By now it has read all events since it opened; from here only the reset causes reads.
    for (let call = 0; call < 5; call += 1) {
      expect(await svc(['dev', 'status', '--data-dir', folder.path])).toMatchObject({ code: 0 });
    }
    expect(await svc(['dev', 'reset', '--yes', '--data-dir', folder.path])).toMatchObject({ code: 0 });
    await dashboard.until(
      (screen) =>
        /No emails yet/.test(screen) &&
        /No events yet/.test(screen) &&
        /No webhook deliveries yet/.test(screen) &&
        /No requests yet/.test(screen),
    );
    await send('bob@example.test');
    await dashboard.until((screen) => /delivered +bob@/.test(screen) && !screen.includes('ada@'));
    expect(caught()).toBe(true);
  });
});
