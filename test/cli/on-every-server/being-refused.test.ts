import { expect, it } from 'vitest';
import { expectRefusal, type Refusal } from '../../support/refusal.js';
import { onEveryServer } from '../../support/service.js';

const mail = ['emails', 'send', '--from', 'a@example.test', '--subject', 's', '--html', 'h'];

const refused: Record<string, Refusal> = {
  'a recipient with a line break': {
    args: [...mail, '--to', 'ada@example.test\nBcc: eve@example.test'],
    code: 1,
    says: /--to: must not contain a line break/,
    error: { code: 'validation_error', status: 422, details: [{ path: 'to.0', message: expect.any(String) }] },
  },
  'a recipient that is no address': {
    args: [...mail, '--to', 'ada'],
    code: 1,
    says: /--to: must be one address/,
    error: { code: 'validation_error', status: 422, details: [{ path: 'to.0', message: expect.any(String) }] },
  },
  'a time that is none': {
    args: [...mail, '--to', 'ada@example.test', '--scheduled-at', 'tomorrow'],
    code: 1,
    says: /--scheduled-at: must be an ISO 8601 date-time/,
    error: { code: 'validation_error', status: 422 },
  },
  'an id that is unknown': {
    args: ['emails', 'get', 'msg_nobody'],
    code: 1,
    says: /There is no email "msg_nobody"/,
    error: { code: 'not_found', status: 404 },
  },
  'a key that is unknown': {
    args: ['emails', 'list', '--api-key', 'svc_test_unknown'],
    code: 4,
    says: /The API key is unknown or has been revoked.*\nThe key came from --api-key\. Give another with/,
    error: { code: 'authentication_error', status: 401 },
  },
  'a date that is none': {
    args: ['emails', 'list', '--since', 'yesterday'],
    code: 1,
    says: /--since: must be an ISO 8601 date/,
    error: { code: 'validation_error', status: 400 },
  },
};

onEveryServer('a command that the server refuses', ({ run, data }) => {
  it.each(Object.entries(refused))('says what was wrong and what to do: %s', (_, refusal) =>
    expectRefusal(run, refusal),
  );

  it('has changed nothing', async () => {
    expect((await data(['emails', 'list'])).pagination.total).toBe(0);
  });
});
