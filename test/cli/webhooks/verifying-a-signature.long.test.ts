import { describe, expect, it } from 'vitest';
import { checkSignature } from '../../../src/cli/webhooks/signature-check.js';
import { svc } from '../../support/cli/binary.js';
import { hmacByPython } from '../../support/cli/tools.js';

const SECRET = 'whsec_verify';
const parsed = {
  id: 'evt_1',
  type: 'email.delivered',
  created_at: '2026-01-01T00:00:00.000Z',
  version: '1.0',
  data: {
    email_id: 'msg_1',
    to: 'zoë@example.test',
    delivered_at: '2026-01-01T00:00:00.000Z',
    smtp_response: '250 ok/done',
  },
};
const body = JSON.stringify(parsed);

const signature = hmacByPython(body, SECRET);

const verify = (input: string, given = signature, secret = SECRET) =>
  svc(['webhooks', 'verify', '--secret', secret, '--signature', given, '--json'], { input });

describe('verifying a signature', () => {
  it('reports valid for the bytes that were signed', async () => {
    const { code, stdout } = await verify(body);
    expect([code, JSON.parse(stdout)]).toEqual([0, { valid: true }]);
  });

  const { data, ...rest } = parsed;
  it.each([
    ['another secret', body, signature, 'whsec_other', /wrong secret/],
    ['an indented body', JSON.stringify(parsed, null, 2), signature, SECRET, /reformatted/],
    ['keys in another order', JSON.stringify({ data, ...rest }), signature, SECRET, /a different order/],
    ['a trailing newline', `${body}\n`, signature, SECRET, /line break was added/],
    ['other escapes', body.replace('ë', '\\u00eb').replace('/', '\\/'), signature, SECRET, /escaped differently/],
    ['an upper-case signature', body, signature.toUpperCase(), SECRET, /upper case/],
    ['a prefixed signature', body, `sha256=${signature}`, SECRET, /prefix/],
    ['a prefix and indents', JSON.stringify(parsed, null, 1), `sha256=${signature}`, SECRET, /prefix; .*reformatted/],
    ['changed content', body.replace('msg_1', 'msg_2'), signature, SECRET, /content was changed/],
    ['half a signature', body, signature.slice(0, 32), SECRET, /64 hexadecimal digits/],
  ])('reports %s', async (_name, input, given, secret, cause) => {
    const { code, stdout } = await verify(input, given, secret);
    expect(code).toBe(3);
    expect(JSON.parse(stdout).cause).toMatch(cause);
  });

  it('hints at what to change, on stderr', async () => {
    const args = ['webhooks', 'verify', '--secret', SECRET, '--signature', `sha256=${signature}`];
    const { code, stdout, stderr } = await svc(args, { input: body });
    expect({ code, stdout, stderr }).toEqual({
      code: 3,
      stdout: 'not valid: the signature has a prefix\n',
      stderr: 'Pass the header’s value unchanged.\n',
    });
  });

  it.each([
    ['whsec_other', body, 'Use the secret that "svc webhooks listen" prints, or the one you passed to'],
    [SECRET, JSON.stringify(parsed, null, 2), 'Verify the raw bytes of the request before parsing them.'],
    [SECRET, `${body}\n`, 'Verify the raw bytes of the request before parsing them.'],
  ])('hints at what to change with the secret %s and the body %j', (secret, input, advice) => {
    expect(checkSignature(Buffer.from(input), signature, secret)).toMatchObject({
      valid: false,
      advice: expect.stringContaining(advice),
    });
  });
});
