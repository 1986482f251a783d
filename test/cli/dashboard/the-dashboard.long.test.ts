import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bindings } from '../../../src/cli/dashboard/key-map.js';
import { displayWidth } from '../../../src/cli/output/display-width.js';
import { svc, temporaryDirectory } from '../../support/cli/binary.js';
import { type Dashboard, openDashboard, withoutHeartbeat } from '../../support/cli/terminal/dashboard.js';
import { brokenSession } from '../../support/mail/smtp-session.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { data } from '../../support/servers/server-calls.js';

it('describes each key of the dashboard in one line of 80 columns', () => {
  const frameAndKeys = 24;
  const texts = bindings.flatMap(({ help }) => (help ?? []).map(([, text]) => text));
  expect(texts.filter((text) => displayWidth(text) > 80 - frameAndKeys)).toEqual([]);
});

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

  it('shows the server’s addresses and settings; the help shows every key, and the rest', async () => {
    const { base_url, smtp, webhook_secret } = dashboard.address();
    const screen = await dashboard.until(/\? help {2}q quit/);
    expect(screen).toContain(`API ${base_url}`);
    expect(screen).toContain(`SMTP ${smtp.host}:${smtp.port}`);
    expect(screen).toMatch(/plan none {2}profile local {2}times UTC/);
    expect(screen).toMatch(/\? help {2}q quit/);
    expect(screen.replaceAll(/[\s│]/g, '')).toContain(
      `svcemailssend--todelivered@simulator.test--data-dir${folder.path}`,
    );

    dashboard.press('?');

    await dashboard.until(/Keys:[\s\S]* s {2,}simulate an outcome for the email/);
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

    const screen = await dashboard.until(/Deliveries 3[\s\S]*bounced@\S+ +bounced/);

    expect(screen).toMatch(/\[Emails 2\] Events 4 {2}Deliveries 3/);
    const mails = screen.split('\n').flatMap((row) => /For \S+ +(\S+)@\S+ +(\w+) +[\d:]{8}/.exec(row)?.slice(1) ?? []);
    expect(mails).toEqual(['bounced', 'bounced', 'ada', 'delivered']);
    await dashboard.until(/^svc dev {2}1 webhook failing {2}2 emails: 1 delivered 1 bounced/m);
    dashboard.press('2');
    await dashboard.until(/email\.bounced +bounced@simulator\.test/);
    dashboard.press('3');
    await dashboard.until(/email\.bounced +http\S+ +500 +×1/);
    dashboard.press('4');
    const asked = (await dashboard.until(/\[Requests 3\]/)).match(/(GET|POST) +\/v1\/\S+ +20\d/g);
    expect(asked?.map((each) => each.replace(/ +/g, ' '))).toEqual([
      'POST /v1/emails 201',
      'POST /v1/emails 201',
      'POST /v1/webhooks 201',
    ]);
  });

  it('shows SMTP sessions when they end, and opens their transcript', async () => {
    await brokenSession(dashboard.address().smtp);
    dashboard.press('5');
    await dashboard.until(/\[SMTP 1\][\s\S]*app\.exam\S* +0 +failed +transactio/);

    dashboard.press('Enter', 'z');

    await dashboard.until(/Transcript:[\s\S]*C: MAIL FROM:<a@x\.test>/);
  });

  it('opens an email: its outcome, links, content and headers, without control sequences', async () => {
    await send('ada@example.test', {
      subject: 'Reset',
      html: '<a href="https://example.test/reset?token=1">x</a>',
      text: 'Dear \u001b[31mAda\u001b]0;evil\u0007',
    });
    await send('bob@example.test');
    await dashboard.until(/> For bob.*bob@/);
    dashboard.press('Down');
    await dashboard.until(/> Reset +ada@.*/);
    // The preview has it already; the open email has the whole width with z.
    await dashboard.until(/│ subject +Reset/);

    dashboard.press('Enter', 'z');

    const screen = await dashboard.until(/^│ subject +Reset[\s\S]*Headers:/m);
    expect(screen).toMatch(/History: *│\n│ +[\d:]{8} {2}email\.sent *│\n│ +[\d:]{8} {2}email\.delivered *│/);
    expect(screen).toMatch(/Text: *│\n│ +Dear \[31mAda\]0;evil/);
    expect(screen).toMatch(/Links: *│\n│ +reset +https:\/\/example\.test\/reset\?token=1/);
    dashboard.press('End');
    await dashboard.until(/^│ {3}To: ada@example\.test/m);
    dashboard.press('z');
    await dashboard.until(/> Reset +ada@/);
    dashboard.press('Escape');
    await dashboard.until(/\? help/);
  });

  it('simulates an outcome for the selected email, and reports when it cannot', async () => {
    await send('ada@example.test');
    await dashboard.until(/ada@\S+ +delivered/);

    dashboard.press('s');
    await dashboard.until(/Simulate an outcome: ada@example\.test, “For ada@example\.test”/);
    dashboard.press('Down');
    await dashboard.until(/> bounced/);
    dashboard.press('Enter');

    await dashboard.until(/simulated bounced: ada@example\.test bounced/);
    await dashboard.until(/> .*ada@\S+ +bounced/);
    await dashboard.until(/ [\d:]{8} {2}email\.bounced/);
    dashboard.press('s');
    await dashboard.until(/> delivered/);
    dashboard.press('Enter');
    await dashboard.until(/cannot simulate delivered: .*ada@example\.test is bounced/);
    dashboard.press('Enter');
    await dashboard.until(/Suppressed: [\s\S]*ada@example\.test has been suppressed since/);
  });

  it('opens a delivery: payload, headers and response; replays it, and an event', async () => {
    await subscribe();
    // Otherwise a retry, five seconds later, could be treated as a replay.
    expect(await svc(['dev', 'clock', 'freeze', '--data-dir', folder.path])).toMatchObject({ code: 0 });
    await send('bounced@simulator.test');
    await dashboard.until(/Deliveries 2/);
    dashboard.press('Tab');
    dashboard.press('Tab');
    await dashboard.until(/\[Deliveries 2\]/);

    await dashboard.until(/email\.bounced +http\S+ +500/);
    dashboard.press('Enter', 'z');
    const screen = await dashboard.until(/X-Service-Signature: [0-9a-f]{64}/);
    expect(screen).toMatch(/^│ state +pending/m);
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
    await dashboard.until(/\[Events \d+\]/);
    dashboard.press('Down');
    await dashboard.until(/> email\.sent/);
    dashboard.press('r');
    await dashboard.until(/replayed evt_\w+: 200/);
    const received = await receiver.until(4);
    expect(received[3]!.body.equals(received[0]!.body)).toBe(true);
  });

  it('filters every pane by a text while it is typed', async () => {
    await send('ada@example.test');
    await send('bob@example.test');
    await dashboard.until((text) => /ada@\S+ +delivered/.test(text) && /bob@\S+ +delivered/.test(text));

    dashboard.press('f');
    await dashboard.until(/filter: ▏/);
    for (const key of ['B', 'o', 'q']) dashboard.press(key);
    await dashboard.until(/No rows match "Boq"/);
    dashboard.press('BSpace');
    const typed = await dashboard.until(/filter: Bo▏/);
    expect(typed).not.toContain('ada@');
    dashboard.press('Enter');

    const kept = await dashboard.until(/filter: Bo \(esc shows all\)/);
    expect(kept).toMatch(/\[Emails 1 of 2\] Events 2 of 4 /m);
    expect(kept).not.toContain('ada@');
    dashboard.press('Escape');
    await dashboard.until(/\[Emails 2\].*ada@\S+ +delivered/s);
  });

  it('keeps the newest thousand, reads them on scrolling, and reports where older ones are', async () => {
    const SENT = 1_010;
    for (let mail = 0; mail < SENT; mail += 10) {
      const batch = Array.from({ length: 10 }, (_, index) => send(`mail-${mail + index}@example.test`));
      await Promise.all(batch);
    }
    await dashboard.until(/\[Emails 1010\]/);

    dashboard.press('End');
    await dashboard.until(/> .*mail-9[01]\d@/);
    // Rows below the hundred of the first read are read now.
    await dashboard.until(/mail-90\d@|mail-89\d@/);

    dashboard.press('f', 'm', 'Enter');
    await dashboard.until(/\[Emails 1000\+ of 1010\]/);
    dashboard.press('End');
    await dashboard.until(/> .*mail-[12]?\d@[\s\S]*older rows: svc emails list --data-dir/);
    dashboard.press('Home');
    await dashboard.until(/> .*mail-100\d@exam/);
  });

  it('fits the terminal when it is resized: with a preview, without one, and not at all', async () => {
    await send('ada@example.test');
    const wide = await dashboard.until(/ada@\S+ +delivered[\s\S]*email\.delivered/);
    expect(wide).toMatch(/\[Emails 1\] Events 2 {2}Deliveries 0 {2}Requests 1 {2}SMTP 0 ─+╮╭─ Email [\d/]* ?─+╮/);
    dashboard.press('Enter');
    await dashboard.until(/q back/);

    dashboard.resize(80, 24);
    expect(await dashboard.until(/^╭─ Email [\d/]* ?─+╮$/m)).not.toContain('Emails 1');
    dashboard.press('q');
    // The screen is drawn from top to bottom, so the last line completes it.
    const small = await dashboard.until(
      /^╭─\[Emails 1\] Events 2 {2}Deliveries 0 {2}Requests 1 {2}SMTP 0 ─+╮$[\s\S]*\? help {2}q quit/m,
    );
    expect(small).toMatch(/│> For ada@example\.test +ada@example\.test +delivered +[\d:]{8} │/);
    expect(small).not.toContain('email.sent');

    dashboard.resize(40, 10);
    // A terminal first wraps what it shows; the row without a time is drawn by svc.
    const least = (await dashboard.until(/^svc dev[\s\S]*^│> For ada@\S+ +ada@\S+ +delivered +│$/m)).split('\n');
    expect(least[0]).toMatch(/^svc dev {2}1 email: 1 delivered/);
    expect(least[1]).toBe(`Inbox ${new URL(dashboard.address().base_url).origin}`);
    expect(least[4]).toMatch(/^│> For /);

    dashboard.resize(35, 12);
    expect(await dashboard.until(/35x12 is too small/)).toContain('40x10');
    dashboard.resize(80, 24);
    const { base_url, smtp } = dashboard.address();
    await dashboard.until((screen) =>
      screen.includes(`Inbox ${new URL(base_url).origin}  API ${base_url}  SMTP :${smtp.port}\n`),
    );
    dashboard.press('?');
    await dashboard.until(/home end {2}g G +go to the first or last row; the first follows new rows +│/);
    dashboard.resize(60, 24);
    await dashboard.until(/home end {2}g G +go to the first or last row; the +│\n│ {21}first follows new rows/);
    dashboard.press('?');
    dashboard.resize(120, 30);
    await dashboard.until(/Emails 1\] Events/);
  });

  it('is redrawn when it continues after it was stopped, and accepts keys as before', async () => {
    await send('ada@example.test');
    await dashboard.until(/ada@\S+ +delivered/);
    await dashboard.signal('SIGSTOP');
    await dashboard.scribble();
    await dashboard.until((screen) => !screen.includes('q quit'));

    await dashboard.signal('SIGCONT');

    const screen = await dashboard.until(/ada@\S+ +delivered[\s\S]*\? help {2}q quit/);
    expect(screen).toMatch(/^svc dev {2}1 email/);
    expect(screen).not.toContain('scribbled');
    dashboard.press('?');
    await dashboard.until(/Keys:/);
  });

  it('shows what the database contains already, and empties every pane at once with a reset', async () => {
    await send('ada@example.test');
    await dashboard.until(/ada@\S+ +delivered/);
    dashboard.press('q');
    await dashboard.until(/ended with 0/);
    await dashboard.close();

    const { env, caught } = withoutHeartbeat(folder.path);
    dashboard = await openDashboard(folder.path, { env });
    await dashboard.until(/ada@\S+ +delivered/);
    // By now it has read all events since it opened; from here only the reset causes reads.
    for (let call = 0; call < 5; call += 1) {
      expect(await svc(['dev', 'status', '--data-dir', folder.path])).toMatchObject({ code: 0 });
    }
    expect(await svc(['dev', 'reset', '--yes', '--data-dir', folder.path])).toMatchObject({ code: 0 });
    await dashboard.until(
      (screen) => /No emails yet/.test(screen) && /Emails 0\] Events 0 {2}Deliveries 0 {2}Requests 0/.test(screen),
    );
    await send('bob@example.test');
    await dashboard.until((screen) => /bob@\S+ +delivered/.test(screen) && !screen.includes('ada@'));
    expect(caught()).toBe(true);
  });
});
