import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { svc, temporaryDirectory } from '../../support/cli/binary.js';
import { type ScriptedServer, startScripted } from '../../support/servers/scripted-server.js';

/** Tests that errors of the server name the flag in place of the request field, and leave a user's own text as it is. */

const SEND = ['emails', 'send', '--from', 'a@example.test', '--to', 'b@example.test'];

describe('an error of the server', () => {
  const directory = temporaryDirectory();
  let scripted: ScriptedServer | undefined;
  afterEach(async () => {
    await scripted?.close();
    scripted = undefined;
  });
  afterAll(() => directory.remove());

  async function messageFor(message: string, args: string[]): Promise<string> {
    scripted = await startScripted([
      (response) => {
        response.writeHead(422, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ success: false, error: { code: 'validation_error', message, status: 422 } }));
      },
    ]);
    const { stderr } = await svc([...args, '--base-url', scripted.baseUrl, '--api-key', 'svc_test_1', '--json']);
    const [report = ''] = stderr.split('\n').filter((line) => line.startsWith('{"error"'));
    return JSON.parse(report).error.message;
  }

  it.each([
    ['a field', 'to_date must not be before from_date.', '--until must not be before --since.'],
    ['a value', 'Value "group_by" is invalid; see from_date.', 'Value "group_by" is invalid; see --since.'],
    ['a value that contains quotation marks', 'No "a\\" group_by \\"b" here.', 'No "a\\" group_by \\"b" here.'],
    ['an address', 'group_by@example.test is invalid.', 'group_by@example.test is invalid.'],
    ['a field of another command', 'template_id is invalid.', 'template_id is invalid.'],
  ])('names flags in place of fields, and nothing else: %s', async (_, message, shown) => {
    expect(await messageFor(message, ['analytics'])).toBe(shown);
  });

  it('names the fields to a command that takes whole requests as JSON', async () => {
    const args = [...SEND, '--subject', 'Hi', '--html', 'x'];

    expect(await messageFor('template_id is invalid.', args)).toBe('template_id is invalid.');
  });

  it('names a variable of a template, although a field has the same name', async () => {
    const run = (...args: string[]) => svc([...args, '--data-dir', join(directory.path, 'data')]);
    const template = ['--name', 'welcome', '--subject', 'Hi', '--html', '{{reply_to}}'];
    expect((await run('templates', 'create', ...template)).code).toBe(0);

    const { code, stderr } = await run(...SEND, '--template', 'welcome');

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^Error: Template variables: reply_to is missing\.\n/),
    });
  });
});
