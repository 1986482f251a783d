import { expect, it } from 'vitest';
import { expectRefusal, type Refusal } from '../../support/cli/refusal.js';
import { onEveryServer } from '../../support/servers/service.js';

const mail = ['emails', 'send', '--from', 'a@example.test', '--subject', 's', '--html', 'h'];

const refused: Record<string, Refusal> = {
  'a recipient with a line break': {
    args: [...mail, '--to', 'ada@example.test\nBcc: eve@example.test'],
    code: 1,
    message: /--to must not contain a line break/,
    error: { code: 'validation_error', status: 422, details: [{ path: 'to.0', message: expect.any(String) }] },
  },
  'a recipient that is no address': {
    args: [...mail, '--to', 'ada'],
    code: 1,
    message: /--to must be one address/,
    error: { code: 'validation_error', status: 422, details: [{ path: 'to.0', message: expect.any(String) }] },
  },
  'several of the recipients': {
    args: [...mail, '--to', 'ada', '--to', 'b@example.test', '--to', 'eve', '--cc', 'bob'],
    code: 1,
    message:
      /^Error: --to, value 1 must be .*\(and 2 more\)\n {2}--to, value 1: .*\n {2}--to, value 3: .*\n {2}--cc: /m,
    error: {
      details: [
        { path: 'to.0', flag: '--to, value 1' },
        { path: 'to.2', flag: '--to, value 3' },
        { path: 'cc.0', flag: '--cc' },
      ],
    },
  },
  'a URL that is empty': {
    args: ['webhooks', 'create', '--url', '', '--events', 'email.opened'],
    code: 2,
    message: /^Error: --url must not be empty\.\n/,
  },
  'a tag that is empty': {
    args: [...mail, '--to', 'ada@example.test', '--tag', ''],
    code: 2,
    message: /^Error: --tag must not be empty\.\n/,
  },
  'a time that was': {
    args: [...mail, '--to', 'ada@example.test', '--scheduled-at', '2001-01-01T00:00:00Z'],
    code: 1,
    message: /--scheduled-at must be in the future/,
    error: { code: 'validation_error', status: 422 },
  },
  'an id that is unknown': {
    args: ['emails', 'get', 'msg_nobody'],
    code: 1,
    message: /Email "msg_nobody" not found/,
    error: { code: 'not_found', status: 404 },
  },
  'a key that is unknown': {
    args: ['emails', 'list', '--api-key', 'svc_test_unknown'],
    code: 4,
    message:
      /The API key is unknown or has been revoked.*\nThe key comes from --api-key(\. Use another with|, and the server is the local one)/,
    error: { code: 'authentication_error', status: 401 },
  },
  'a range that begins after now': {
    args: ['analytics', '--since', '2999-01-01'],
    code: 1,
    message: /^Error: --since must not be later than --until\n/m,
    error: { code: 'validation_error', status: 400, details: [{ path: 'from_date', flag: '--since' }] },
  },
};

onEveryServer('a command that the server refuses', ({ run, data }) => {
  it.each(Object.entries(refused))('reports what was wrong and what to do: %s', (_, refusal) =>
    expectRefusal(run, refusal),
  );

  it('has changed nothing', async () => {
    expect((await data(['emails', 'list'])).pagination.total).toBe(0);
  });
});
