import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { matchesRecipient } from '../../../src/contract/recipient-pattern.js';
import { eventsOf } from '../../support/mail/delivered.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { send, typesOf } from '../../support/simulation.js';

describe('rules for recipients', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp();
    app.clock.freeze();
  });

  afterEach(() => app.closeClean());

  const add = async (rule: object) => (await app.call('POST', '/_svc/rules', rule)).json.data;

  async function outcomeOf(to: string): Promise<string | undefined> {
    const id = await send(app, to);
    await app.drain();
    return (await typesOf(app, id)).at(-1);
  }

  it('decide for the recipients that match the pattern, with the given response', async () => {
    const reason = '550 5.1.1 No such user here';
    await add({ to: '*@Corp.test', outcome: 'bounced', bounce_type: 'soft', reason });
    const id = await send(app, ['ada@corp.test', 'bob@example.test']);
    await app.drain();

    expect(await eventsOf(app, id, 'email.bounced')).toMatchObject([
      { to: 'ada@corp.test', bounce_type: 'soft', reason, smtp_response: reason },
    ]);
    expect(await eventsOf(app, id, 'email.delivered')).toMatchObject([{ to: 'bob@example.test' }]);
  });

  it('give a reason without codes the code of its kind', async () => {
    await add({ to: 'ada@corp.test', outcome: 'soft-bounced', reason: 'over quota' });
    const id = await send(app, 'ada@corp.test');
    await app.drain();

    expect(await eventsOf(app, id, 'email.bounced')).toMatchObject([
      { bounce_type: 'soft', reason: 'over quota', smtp_response: '450 4.0.0 over quota' },
    ]);
  });

  it('apply to the given number of emails, counting each recipient', async () => {
    await add({ to: '*@corp.test', outcome: 'soft-bounced', times: 2 });
    const id = await send(app, ['ada@corp.test', 'bob@corp.test', 'eve@corp.test']);
    await app.drain();

    expect((await typesOf(app, id)).slice(3).sort()).toEqual(['bounced', 'bounced', 'delivered']);
    expect((await app.call('GET', '/_svc/rules')).json.data.rules).toMatchObject([{ times: 2, used: 2 }]);
    expect(await outcomeOf('ada@corp.test')).toBe('delivered');
  });

  it('are overridden by the newest that matches', async () => {
    await add({ to: '*@corp.test', outcome: 'soft-bounced' });
    const { id } = await add({ to: 'ada@*', outcome: 'opened' });
    expect(await outcomeOf('ada@corp.test')).toBe('opened');
    expect(await outcomeOf('bob@corp.test')).toBe('bounced');

    expect((await app.call('DELETE', `/_svc/rules/${id}`)).status).toBe(204);

    expect(await outcomeOf('ada@corp.test')).toBe('bounced');
    expect((await app.call('DELETE', `/_svc/rules/${id}`)).status).toBe(404);
  });

  it('wait for the given delay before anything happens', async () => {
    await add({ to: '*', outcome: 'opened', delay: '30s' });
    const id = await send(app, 'ada@corp.test');
    await app.drain();
    expect(await typesOf(app, id)).toEqual(['sent']);
    const start = app.clock.now();

    await app.call('POST', '/_svc/clock/advance', { by: '1h' });

    expect(await typesOf(app, id)).toEqual(['sent', 'delivered', 'opened']);
    const [opened] = await eventsOf(app, id, 'email.opened');
    expect(opened?.opened_at).toBe(new Date(start + 30_000).toISOString());
  });

  it('do not apply to magic recipients', async () => {
    await add({ to: '*', outcome: 'none' });
    expect(await outcomeOf('delivered@simulator.test')).toBe('delivered');
    expect(await outcomeOf('someone@simulator.test')).toBe('sent');
  });

  it.each([
    [{ to: '*', outcome: 'delivered', bounce_type: 'hard' }, 'bounce_type'],
    [{ to: '*', outcome: 'soft-bounced', bounce_type: 'hard' }, 'bounce_type'],
    [{ to: '*', outcome: 'bounced', times: 0 }, 'times'],
    [{ to: '', outcome: 'bounced' }, 'to'],
    [{ to: 'corp.test', outcome: 'bounced' }, 'to'],
    [{ to: '@corp.test', outcome: 'bounced' }, 'to'],
    [{ to: '*', outcome: 'dropped', delay: '30s' }, 'delay'],
    [{ outcome: 'bounced' }, 'to'],
  ])('refuse %j at %s', async (rule, path) => {
    const refused = await app.call('POST', '/_svc/rules', rule);
    expect(refused.status).toBe(422);
    expect(refused.json.error.details[0].path).toBe(path);
  });

  it('match a pattern as a regular expression with .* for * would', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'B'), maxLength: 10 });
    fc.assert(
      fc.property(letters, text, (pattern, mailbox) => {
        const reference = new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 'i');
        expect(matchesRecipient(pattern, mailbox)).toBe(reference.test(mailbox));
      }),
      { numRuns: 500 },
    );
  });
});
