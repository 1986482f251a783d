import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

describe('sending an email', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp();
  });

  afterEach(() => app.closeClean());

  it('answers 201 with the receipt, and delivers at once', async () => {
    const body = {
      to: ['Ada <ada@example.test>', 'bob@example.test'],
      from: 'shop@example.test',
      subject: 'Hi',
      html: '<p>Hi</p>',
    };
    const sent = await app.call('POST', '/v1/emails', body);
    expect(sent.status).toBe(201);
    expect(sent.json.data).toMatchObject({
      to: 'Ada <ada@example.test>, bob@example.test',
      status: 'sent',
      scheduled_at: null,
      tags: [],
    });

    await app.drain();

    const found = await app.call('GET', `/v1/emails/${sent.json.data.id}`);
    expect(found.json.data).toMatchObject({ status: 'delivered', html: '<p>Hi</p>', text: '' });
    const { events } = (await app.call('GET', `/_svc/emails/${sent.json.data.id}`)).json.data;
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      'email.sent',
      'email.sent',
      'email.delivered',
      'email.delivered',
    ]);
  });
});
