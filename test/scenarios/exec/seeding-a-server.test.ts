import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applySeed, verifiedDomains } from '../../../src/cli/server/seed/apply-seed.js';
import { readSeed } from '../../../src/cli/server/seed/read-seed.js';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { startApp, TEST_KEY } from '../../support/servers/app.js';
import { clientOf } from './running.js';

/** Tests what --seed reads, refuses and adds to a server. */

describe('a seed', () => {
  let folder: ReturnType<typeof temporaryDirectory>;
  beforeEach(() => {
    folder = temporaryDirectory();
    mkdirSync(join(folder.path, 'mail'));
    mkdirSync(join(folder.path, 'templates', 'welcome'), { recursive: true });
    put('templates/welcome/template.json', '{"name":"welcome","subject":"Hi {{name}}"}');
    put('templates/welcome/body.html', '<p>Hi {{name}}</p>');
    put('mail/2.eml', 'From: a@x.test\nTo: b@x.test\nSubject: second\n\nHi');
    put('mail/1.EML', 'From: a@x.test\nTo: b@x.test\nSubject: first\n\n.Hi');
    put('seed.json', JSON.stringify(SEED));
  });
  afterEach(() => folder.remove());

  const SEED = {
    domains: ['Mine.test', { domain: 'other.test', verified: false }],
    suppressions: ['bad@x.test', { address: 'worse@x.test' }],
    rules: [
      { to: 'vip@corp.test', outcome: 'delivered' },
      { to: '*@corp.test', outcome: 'bounced', delay: '2h' },
    ],
    webhooks: [{ url: 'http://127.0.0.1:9/x', events: ['email.sent'] }],
    faults: [{ smtp: 'end', delay: '2s' }, 'greylist'],
  };
  const put = (name: string, text: string) => writeFileSync(join(folder.path, name), text);

  it('adds templates, messages, domains, suppressions, rules, webhooks and faults', async () => {
    const seed = await readSeed(folder.path);
    const app = await startApp({ domains: verifiedDomains(seed), strict: true });

    await applySeed(clientOf(app), seed);

    const { emails } = await app.read('/v1/emails');
    expect(emails.map(({ subject }: { subject: string }) => subject)).toEqual(['second', 'first']);
    const raw = await app.http.inject({
      url: `/_svc/emails/${emails[1].id}/raw`,
      headers: { host: 'localhost', authorization: `Bearer ${TEST_KEY}` },
    });
    expect(raw.body).toBe('From: a@x.test\nTo: b@x.test\nSubject: first\n\n.Hi');
    expect((await app.read('/v1/templates')).templates).toMatchObject([{ name: 'welcome', text: '' }]);
    expect((await app.read('/v1/domains')).domains).toMatchObject([
      { domain: 'other.test', status: 'pending' },
      { domain: 'mine.test', status: 'verified' },
    ]);
    expect((await app.read('/_svc/rules')).rules).toMatchObject([
      { to: 'vip@corp.test' },
      { to: '*@corp.test', delay_ms: 7_200_000 },
    ]);
    expect((await app.read('/_svc/suppressions')).pagination.total).toBe(2);
    expect((await app.read('/_svc/faults')).faults).toMatchObject([
      { smtp: 'end', delay_ms: 2_000, preset: null },
      { smtp: 'rcpt', greylist_ms: 300_000, preset: 'greylist' },
    ]);
    // The events of the seed's messages were recorded before the webhook existed.
    expect((await app.read('/_svc/deliveries')).deliveries).toEqual([]);
    await app.closeClean();
  });

  it.each([
    ['{', 'is not valid JSON'],
    ['[]', 'must contain a JSON object'],
    ['{"domain": []}', 'seed.json: domain is not a field.'],
    ['{"rules": [{"to": "a", "outcome": "bounced", "dely": "1h"}]}', 'seed.json: rules[0].dely is not a field.'],
    ['{"faults": ["outage"]}', 'seed.json: faults[0] must be one of provider-outage'],
    ['{"faults": [{"smtp": "rcpt", "code": 354}]}', 'seed.json: faults[0].code must be from 400 to 599 with smtp'],
    ['{"faults": [{"smtp": "rcpt", "cod": 450}]}', 'seed.json: faults[0].cod is not a field.'],
    ['{"rules": [{"to": "a", "outcome": "bounce"}]}', 'seed.json: rules[0].outcome must be one of delivered'],
    ['{"rules": [{"to": "a", "outcome": "bounced", "delay": "soon"}]}', 'seed.json: rules[0].delay must be'],
    ['{"rules": {}}', 'seed.json: rules must be an array.'],
    ['{"suppressions": ["ada@"]}', 'seed.json: suppressions[0] must be one address'],
    ['{"suppressions": [{"address": 1}]}', 'seed.json: suppressions[0].address must be a string.'],
    ['{"domains": ["localhost"]}', 'seed.json: domains[0] must have at least two labels'],
    ['{"domains": [{"domain": "a.test", "verified": "no"}]}', 'seed.json: domains[0].verified must be a boolean.'],
    ['{"webhooks": [{"url": "http://127.0.0.1:9/x", "events": []}]}', 'seed.json: webhooks[0].events must contain'],
  ])('is refused with the position in seed.json: %s', async (text, message) => {
    put('seed.json', text);

    await expect(readSeed(folder.path)).rejects.toThrow(message);
  });

  it.each([
    ['a directory that does not exist', () => rmSync(folder.path, { recursive: true }), '--seed: Directory '],
    [
      'a directory without any of its parts',
      () => ['mail', 'templates', 'seed.json'].map((name) => rmSync(join(folder.path, name), { recursive: true })),
      'has neither templates/ nor mail/ nor seed.json.',
    ],
    ['a template with a typo', () => put('templates/welcome/template.json', '{"nam":"x"}'), 'unknown field nam'],
    ['an empty template', () => put('templates/welcome/body.html', ''), 'body.html: html must'],
    ['a mail directory without messages', () => rmSync(join(folder.path, 'mail'), { recursive: true }), ''],
    ['an empty message', () => put('mail/3.eml', ''), '3.eml is empty.'],
    ['a directory in place of a message', () => mkdirSync(join(folder.path, 'mail', '3.eml')), '3.eml is not a file.'],
  ])('is refused for %s', async (_, damage, message) => {
    damage();
    if (message === '') mkdirSync(join(folder.path, 'mail'));

    await expect(readSeed(folder.path)).rejects.toThrow(message || 'does not contain any .eml files.');
  });

  it('is refused if a message cannot be read', async () => {
    symlinkSync('missing.eml', join(folder.path, 'mail', '3.eml'));

    await expect(readSeed(folder.path)).rejects.toThrow('3.eml: no such file or directory.');
  });

  it('is refused if the server refuses a message', async () => {
    put('mail/2.eml', 'Subject: to no one\n\nHi');
    const app = await startApp();

    await expect(applySeed(clientOf(app), await readSeed(folder.path))).rejects.toThrow(
      /^Cannot add .*2\.eml of the seed: The message has no recipient in To, Cc or Bcc\.$/,
    );
    await app.closeClean();
  });
});
