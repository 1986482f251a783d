import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAddress } from '../../../../src/contract/vocabulary/addresses.js';
import { readDuration } from '../../../../src/contract/vocabulary/durations.js';
import { startApp, type TestApp } from '../../../support/servers/app.js';

/** Tests that only the length is checked: a pattern may need time or stack that grows with the text. */

const MAIL = { to: 'ada@example.test', from: 'a@b.test', subject: 'Hi', html: 'x' };
const BLANKS = `x${' '.repeat(10_000)}y`;
const ADDRESS = 'must be at most 1024 characters';
const attachment = (contentType: string) => ({ filename: 'a.txt', content: 'YQ==', contentType });

describe('a value that is far too long', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp();
  });
  afterEach(() => app.closeClean());

  it.each([
    ['to', '/v1/emails', { ...MAIL, to: BLANKS }, 'to', ADDRESS],
    ['one of many cc', '/v1/emails', { ...MAIL, cc: ['a@b.test', BLANKS] }, 'cc.1', ADDRESS],
    ['from', '/v1/emails', { ...MAIL, from: BLANKS }, 'from', ADDRESS],
    ['reply_to', '/v1/emails', { ...MAIL, reply_to: BLANKS }, 'reply_to', ADDRESS],
    ['a suppressed address', '/_svc/suppressions', { address: BLANKS }, 'address', ADDRESS],
    [
      'contentType',
      '/v1/emails',
      { ...MAIL, attachments: [attachment(`text/plain${';a=b'.repeat(2_500_000)}`)] },
      'attachments.0.contentType',
      'must be at most 255 characters',
    ],
    [
      'a file name',
      '/v1/emails',
      { ...MAIL, attachments: [{ ...attachment('text/plain'), filename: 'é'.repeat(1_000_000) }] },
      'attachments.0.filename',
      'must be at most 255 bytes in UTF-8',
    ],
    ['a duration', '/_svc/clock/advance', { by: '1h'.repeat(2_000_000) }, 'by', /^must be a duration/],
    ['a domain', '/v1/domains', { domain: 'é'.repeat(1_000_000) }, 'domain', /^must be at most 235 characters/],
    [
      'a URL',
      '/v1/webhooks',
      { url: `https://${'é'.repeat(1_000_000)}`, events: ['email.sent'] },
      'url',
      /at most 2048/,
    ],
  ])('is 422 for %s, with that one reason', async (_, path, body, field, message) => {
    const { status, json } = await app.call('POST', path, body);
    expect(status).toBe(422);
    expect(json.error.details).toEqual([
      { path: field, message: typeof message === 'string' ? message : expect.stringMatching(message) },
    ]);
  });

  it('is not repeated in the answer', async () => {
    const { status, json } = await app.call('POST', '/v1/emails', {
      to: 'ada@example.test',
      from: 'a@b.test',
      template_id: 'x'.repeat(1_000_000),
    });
    expect(status).toBe(404);
    expect(JSON.stringify(json).length).toBeLessThan(1_000);
  });
});

describe('reading a duration', () => {
  it.each([
    ['1s', 50, 50_000],
    ['1s', 51, undefined],
    ['1s', 5_000_000, undefined],
    ['P', 5_000_000, undefined],
  ])('of %s %i times gives %s', (text, times, milliseconds) => {
    expect(readDuration(text.repeat(times))).toBe(milliseconds);
  });
});

describe('reading an address', () => {
  it.each([
    ['a@b.test', { name: '', address: 'a@b.test' }],
    ['<a@b.test>', { name: '', address: 'a@b.test' }],
    ['Ada<a@b.test>', { name: 'Ada', address: 'a@b.test' }],
    ['Ada L.  <a@b.test>', { name: 'Ada L.', address: 'a@b.test' }],
    ['"A <x> \\"L\\"" <a@b.test>', { name: 'A <x> "L"', address: 'a@b.test' }],
  ])('accepts %j', (text, address) => {
    expect(readAddress(text)).toEqual(address);
  });

  it.each([
    '',
    ' a@b.test',
    'Ada < a@b.test>',
    '<',
    '>',
    '<>',
    'a@b.test>',
    '<a@b.test',
    '<a@b.test>>',
    'x <a@b.test> y',
    'a <b> <c@d.test>',
  ])('refuses %j', (text) => {
    expect(readAddress(text)).toHaveProperty('problem');
  });
});
