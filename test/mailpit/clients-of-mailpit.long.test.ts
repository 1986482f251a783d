import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
// @ts-expect-error Scripts have no types.
import { programs } from '../../scripts/test-clients.js';
import { type Server, skipped, startSvc } from './servers.js';

/** Runs clients of Mailpit from npm, unmodified, with svc. */

let svc: Server;
beforeAll(async () => {
  svc = await startSvc();
});
afterAll(() => svc.stop());

const load = async (name: string) => import(createRequire(join(programs.mailpitModules, 'client.js')).resolve(name));

it.skipIf(skipped)(`answers every call of mailpit-api${skipped}`, async () => {
  const { MailpitClient } = await load('mailpit-api');
  const client = new MailpitClient(svc.url);
  const { ID } = await client.sendMessage({
    From: { Email: 'shop@example.test', Name: 'Shop' },
    To: [{ Email: 'ada@example.test' }],
    Subject: 'Order 42',
    HTML: '<p>On its <b>way</b></p>',
    Text: 'On its way',
    Attachments: [{ Filename: 'a.txt', Content: 'aGVsbG8=' }],
  });
  expect(await client.waitForMessage({ query: 'to:ada@example.test' })).toMatchObject({ ID, Subject: 'Order 42' });
  expect(await client.waitForMessages({ query: 'subject:order', count: 1, exact: true })).toMatchObject({
    messages_count: 1,
  });
  expect(await client.listMessages()).toMatchObject({ total: 1, unread: 0, messages: [{ ID }] });
  expect(await client.setReadStatus({ IDs: [ID], Read: false })).toBe('ok');
  expect(await client.searchMessages({ query: 'is:unread' })).toMatchObject({ messages_count: 1 });
  const message = await client.getMessageSummary();
  const part = message.Attachments[0].PartID;
  expect(await (await client.getMessageAttachment(ID, part)).text()).toBe('hello');
  await expect(client.getAttachmentThumbnail(ID, part)).rejects.toThrow('501');
  expect((await client.getMessageHeaders(ID)).Subject).toEqual(['Order 42']);
  expect(await client.getMessageSource()).toContain('Subject: Order 42\r\n');
  expect(await client.renderMessageHTML()).toBe('<p>On its <b>way</b></p>');
  expect(await client.renderMessageText(ID)).toBe('On its way');
  expect(await client.htmlCheck()).toMatchObject({ Total: { Nodes: expect.any(Number) } });
  expect(await client.linkCheck()).toEqual({ Errors: 0, Links: [] });
  await expect(client.spamAssassinCheck()).rejects.toThrow('501');
  await expect(client.releaseMessage(ID, { To: ['ada@example.test'] })).rejects.toThrow('400');
  expect(await client.setTags({ IDs: [ID], Tags: ['one', 'two'] })).toBe('ok');
  expect(await client.renameTag('one', 'three words')).toBe('ok');
  expect(await client.deleteTag('two')).toBe('ok');
  expect(await client.getTags()).toEqual(['three words']);
  expect(await client.getInfo()).toMatchObject({ Messages: 1, Tags: { 'three words': 1 } });
  expect(await client.getConfiguration()).toMatchObject({ ChaosEnabled: true });
  const chaos = { Sender: { ErrorCode: 451, Probability: 20 } };
  expect(await client.setChaosTriggers(chaos)).toMatchObject(chaos);
  expect(await client.setChaosTriggers()).toMatchObject({ Sender: { Probability: 0 } });
  expect(await client.getChaosTriggers()).toMatchObject({ Sender: { Probability: 0 } });
  expect(await client.deleteMessagesBySearch({ query: 'subject:order' })).toBe('ok');
  expect(await client.deleteMessages()).toBe('ok');
  expect(await client.listMessages()).toMatchObject({ total: 0, messages: [] });
});

it.skipIf(skipped)(`answers every request of cypress-mailpit${skipped}`, async () => {
  const { MailpitCommands } = await load('cypress-mailpit/dist/src/MailpitCommands.js');
  const statuses: number[] = [];
  /** The parts of Cypress that the commands use. */
  Object.assign(globalThis, {
    Cypress: { expose: () => svc.url, config: () => 4_000 },
    cy: {
      env: async () => ({}),
      wrap: async (value: unknown) => value,
      wait: async () => {},
      async request({ method, url, qs = {}, body }: { method: string; url: string; qs?: object; body?: unknown }) {
        const query = new URLSearchParams(
          Object.entries(qs).map(([name, value]): [string, string] => [name, String(value)]),
        );
        const payload = body === undefined ? {} : { body: JSON.stringify(body) };
        const response = await fetch(`${url}${query.size > 0 ? `?${query}` : ''}`, { method, ...payload });
        statuses.push(response.status);
        const isJson = response.headers.get('content-type')?.includes('json');
        return { body: isJson ? await response.json() : await response.text() };
      },
    },
  });
  const commands = new MailpitCommands();
  await commands.mailpitSendMail({ subject: 'Welcome' });
  const mail = await commands.mailpitGetMail();
  expect(await commands.mailpitGetSubject(mail)).toBe('Welcome');
  expect(await commands.mailpitGetRecipientAddress(mail)).toEqual(['jane@example.com']);
  expect(await commands.mailpitGetFromAddress(mail)).toBe('from@example.com');
  expect(await commands.mailpitGetAttachments(mail)).toEqual([]);
  expect(await commands.mailpitGetMailHTMlBody(mail)).toBe('<p>hello from mailpit</p>');
  expect(await commands.mailpitGetMailTextBody(mail)).toBe('hello from mailpit');
  expect(await commands.mailpitGetAllMails()).toMatchObject({ messages: [{ ID: mail.ID }] });
  for (const found of [
    await commands.mailpitGetEmailsBySubject('welcome'),
    await commands.mailpitGetEmailsByTo('jane@example.com'),
    await commands.mailpitSearchEmails('from:from@example.com'),
    await commands.mailpitHasEmailsBySubject('Welcome'),
    await commands.mailpitHasEmailsByTo('jane@example.com'),
    await commands.mailpitHasEmailsBySearch('reply-to:replyto bcc:bcc@example.com'),
  ]) {
    expect(found).toMatchObject({ messages_count: 1, messages: [{ ID: mail.ID }] });
  }
  for (const change of ['mailpitSetStatusAsUnRead', 'mailpitSetStatusAsRead'])
    expect(await commands[change](mail)).toBe('ok');
  for (const change of ['mailpitSetAllEmailStatusAsUnRead', 'mailpitSetAllEmailStatusAsRead']) {
    expect(await commands[change]()).toBe('ok');
  }
  await commands.mailpitDeleteEmailsBySearch('subject:welcome');
  await commands.mailpitDeleteAllEmails();
  await commands.mailpitNotHasEmailsBySubject('Welcome');
  await commands.mailpitNotHasEmailsByTo('jane@example.com');
  await commands.mailpitNotHasEmailsBySearch('hello');
  expect(new Set(statuses)).toEqual(new Set([200]));
  await commands.mailpitGetMailSpamAssassinSummary(mail);
  expect(statuses.at(-1)).toBe(501);
});
