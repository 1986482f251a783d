import { describe, expect, it } from 'vitest';
import type { CheckedEmail } from '../../../src/client/checks/check.js';
import {
  checkAttachments,
  checkContains,
  checkHasLink,
  checkMatches,
  checkMaxSize,
} from '../../../src/client/checks/content.js';
import { regexPattern, textPattern } from '../../../src/client/checks/text-pattern.js';

const email: CheckedEmail = {
  subject: 'Reset your password',
  text: 'Hello Ada,\n\nyour order 1042\nis on its way.',
  html: '<p>Hello <b>Ada</b></p>',
  html_text: 'Hello Ada\n\nReset   it here',
  links: [
    { text: 'Reset', href: 'https://app.example.test/Reset?token=1', kind: 'reset' },
    { text: 'Terms', href: 'https://app.example.test/terms', kind: 'other' },
  ],
  codes: [],
  attachments: [{ index: 0, filename: 'a.pdf', content_type: 'application/pdf', size: 7 }],
  size: 1_500,
};
const hasLink = async (pattern: string) => checkHasLink(email, pattern, await textPattern(pattern));

describe('a check of an email’s content', () => {
  it('finds a text in the subject, the text and the HTML, whatever its white space', () => {
    expect(checkContains(email, 'Reset your')).toMatchObject({ passed: true, message: 'found in the subject' });
    expect(checkContains(email, 'order 1042 is on')).toMatchObject({ passed: true, message: 'found in the text' });
    expect(checkContains(email, 'Hello\nAda')).toMatchObject({
      passed: true,
      message: 'found in the text and the HTML',
    });
    expect(checkContains(email, 'Reset it')).toMatchObject({ passed: true, message: 'found in the HTML' });
  });

  it('reports what a missing text may have been meant for', () => {
    expect(checkContains(email, 'hello ada').message).toBe(
      'not found in the subject, text or HTML; the text has "Hello Ada" in another case',
    );
    expect(checkContains(email, 'your order 1043').message).toBe(
      'not found in the subject, text or HTML; the text has "your order 1042 is on its way."',
    );
    expect(checkContains(email, 'zzz').message).toBe('not found in the subject, text or HTML');
    expect(checkContains({ ...email, subject: '', text: '', html_text: '' }, 'zzz').message).toBe(
      'not found in the email, which is empty',
    );
  });

  it('matches a regular expression in linear time', async () => {
    const pattern = await regexPattern('(a+)+$', false);
    const hostile = { ...email, text: `${'a'.repeat(50_000)}!` };
    expect(checkMatches(hostile, '/(a+)+$/', pattern)).toMatchObject({ passed: false });
    const order = await regexPattern('ORDER \\d+', true);
    expect(checkMatches(email, '/ORDER \\d+/i', order)).toMatchObject({
      passed: true,
      message: 'found "order 1042" in the text',
    });
  });

  it('refuses a regular expression that is invalid', async () => {
    await expect(regexPattern('(', false)).rejects.toThrow('invalid regular expression /(/ (missing closing ): `(`)');
    await expect(textPattern('/(?=a)/')).rejects.toThrow('invalid or unsupported Perl syntax');
  });

  it('finds a link by a part of its URL, a glob of the whole URL or a regular expression', async () => {
    for (const pattern of ['/reset', 'https://app.example.test/*', '*token=*', '/token=\\d$/', 'APP.example']) {
      expect(await hasLink(pattern), pattern).toMatchObject({ passed: true });
    }
    for (const pattern of ['reset*', '*token', '*test*terms*x*', '/^reset/', 'https://example.test']) {
      expect(await hasLink(pattern), pattern).toMatchObject({
        passed: false,
        message: 'no link matches; found https://app.example.test/Reset?token=1; https://app.example.test/terms',
      });
    }
    const none = checkHasLink({ ...email, links: [] }, 'x', await textPattern('x'));
    expect(none).toMatchObject({ passed: false, message: 'the email has no links' });
  });

  it('counts attachments and bytes', () => {
    expect(checkAttachments(email, 1)).toMatchObject({ passed: true, message: 'found 1: a.pdf (7 bytes)' });
    expect(checkAttachments(email, 2)).toMatchObject({
      passed: false,
      message: 'expected 2, found 1: a.pdf (7 bytes)',
    });
    expect(checkAttachments({ ...email, attachments: [] }, 1).message).toBe('expected 1, found none');
    expect(checkMaxSize(email, 1_500)).toMatchObject({ passed: true });
    expect(checkMaxSize(email, 1_499)).toMatchObject({
      passed: false,
      message: 'expected at most 1499 bytes, found 1500',
    });
  });
});
