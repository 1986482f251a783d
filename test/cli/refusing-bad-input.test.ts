import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Finished, svc, temporaryDirectory } from '../support/binary.js';

/** What each refusal says, as a person sees it; its --json form is held against the same row. */
interface Refusal {
  args: string[];
  code: number;
  says: RegExp;
  error?: Record<string, unknown>;
}

const folder = temporaryDirectory();
const dataDir = join(folder.path, 'data');
const send = ['emails', 'send', '--to', 'ada@example.test'];

const usage: Record<string, Refusal> = {
  'an unknown command': { args: ['bogus'], code: 2, says: /There is no command "svc bogus"/ },
  'an unknown command of a topic': { args: ['emails', 'lst'], code: 2, says: /There is no command "svc emails lst"/ },
  'an unknown flag': { args: [...send, '--bogus'], code: 2, says: /Unknown flag: --bogus/ },
  'a flag that is missing': { args: ['emails', 'send'], code: 2, says: /Missing required flag --to/ },
  'a flag without its value': { args: ['emails', 'send', '--to'], code: 2, says: /--to expects a value/ },
  'an argument that is missing': { args: ['emails', 'get'], code: 2, says: /Missing 1 required arg.*id/s },
  'a number that is none': {
    args: ['emails', 'list', '--limit', 'many'],
    code: 2,
    says: /--limit: expected an integer/,
  },
  'a number out of range': {
    args: ['emails', 'list', '--limit', '101'],
    code: 2,
    says: /--limit: .*less than or equal to 100/,
  },
  'two bodies of one kind': {
    args: [...send, '--html', 'a', '--html-file', 'b'],
    code: 2,
    says: /--html-file.* cannot also be provided when using --html/,
  },
  'a file to attach that is not there': {
    args: [...send, '--attach', 'nowhere.pdf'],
    code: 2,
    says: /--attach: nowhere\.pdf is not there/,
  },
  'a directory to attach': { args: [...send, '--attach', '/'], code: 2, says: /--attach: \/ is a directory/ },
  'HTML that is not UTF-8': {
    args: [...send, '--html-file', 'latin1.html'],
    code: 2,
    says: /latin1\.html is not text in UTF-8/,
  },
  'a base URL that is none': {
    args: ['emails', 'list', '--base-url', 'here', '--api-key', 'svc_test_x'],
    code: 2,
    says: /--base-url must be an http or https URL/,
  },
  'a base URL with a password': {
    args: ['emails', 'list', '--base-url', 'https://me:hunter2@mail.example.test/v1'],
    code: 2,
    says: /--base-url must not hold a user name or a password\.(?!.*hunter2)/s,
  },
  'no key for a remote server': {
    args: ['emails', 'list', '--base-url', 'https://mail.example.test/v1'],
    code: 2,
    says: /SVC_API_KEY/,
  },
  'a URL to forward to that is none': {
    args: ['webhooks', 'listen', '--forward-to', 'ht tp://'],
    code: 2,
    says: /--forward-to must be a URL such as/,
  },
};

const refused: Record<string, Refusal> = {
  'a recipient with a line break': {
    args: ['emails', 'send', '--to', 'ada@example.test\nBcc: eve@example.test'],
    code: 1,
    says: /to\.0: must not contain a line break/,
    error: { code: 'validation_error', status: 422, details: [{ path: 'to.0', message: expect.any(String) }] },
  },
  'a recipient that is no address': {
    args: ['emails', 'send', '--to', 'ada'],
    code: 1,
    says: /to\.0: must be one address/,
    error: { code: 'validation_error', status: 422 },
  },
  'a time that is none': {
    args: [...send, '--scheduled-at', 'tomorrow'],
    code: 1,
    says: /scheduled_at: must be an ISO 8601 date-time/,
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
    says: /The API key is unknown or has been revoked/,
    error: { code: 'authentication_error', status: 401 },
  },
  'a date that is none': {
    args: ['emails', 'list', '--since', 'yesterday'],
    code: 1,
    says: /from_date: must be an ISO 8601 date/,
    error: { code: 'validation_error', status: 400 },
  },
};

const template = ['templates', 'render'];
const templates: Record<string, Refusal> = {
  'a directory that is not there': {
    args: [...template, 'nope'],
    code: 1,
    says: /There is no template directory "nope"/,
  },
  'a file in place of a directory': {
    args: [...template, 'latin1.html'],
    code: 1,
    says: /There is no template directory/,
  },
  'no template.json': { args: [...template, 'no-manifest'], code: 2, says: /template\.json is not there/ },
  'a broken template.json': { args: [...template, 'broken'], code: 2, says: /template\.json is not JSON/ },
  'a misspelt field': {
    args: [...template, 'misspelt'],
    code: 2,
    says: /unknown field subjekt; did you mean subject\?/,
  },
  'no body.html': { args: [...template, 'no-body'], code: 2, says: /body\.html is not there/ },
  'a variable without a value': {
    args: [...template, 'thirsty'],
    code: 1,
    says: /name is missing.*Give every placeholder/s,
    error: { code: 'invalid_variables', details: [{ path: 'variables.name', message: 'is missing' }] },
  },
  'a variable flag without =': {
    args: [...template, 'thirsty', '--var', 'name'],
    code: 2,
    says: /--var must read name=value/,
  },
};

describe('a command that cannot do what it was asked', () => {
  beforeAll(async () => {
    writeFileSync(join(folder.path, 'latin1.html'), Buffer.from('<p>gr\xfc\xdfe</p>', 'latin1'));
    const manifest = '{"name":"x","subject":"Hi {{name}}"}';
    for (const [name, files] of Object.entries({
      'no-manifest': { 'body.html': 'x' },
      broken: { 'template.json': '{"name":', 'body.html': 'x' },
      misspelt: { 'template.json': '{"name":"x","subjekt":"y"}', 'body.html': 'x' },
      'no-body': { 'template.json': manifest },
      thirsty: { 'template.json': manifest, 'body.html': '<p>{{name}}</p>' },
    })) {
      mkdirSync(join(folder.path, name));
      for (const [file, text] of Object.entries(files)) writeFileSync(join(folder.path, name, file), text as string);
    }
  });

  afterAll(() => folder.remove());

  it.each(Object.entries({ ...usage, ...refused, ...templates }))(
    'says what was wrong and what to do: %s',
    async (_, refusal) => {
      const human = await run(refusal.args);
      expect({ code: human.code, stdout: human.stdout }).toEqual({ code: refusal.code, stdout: '' });
      expect(human.stderr).toMatch(refusal.says);
      expect(human.stderr).toMatch(/^Error: /);
      expect(human.stderr).not.toMatch(/^\s+at /m);

      const machine = await run([...refusal.args, '--json']);
      expect({ code: machine.code, stdout: machine.stdout }).toEqual({ code: refusal.code, stdout: '' });
      const { error, ...rest } = JSON.parse(machine.stderr);
      expect(rest).toEqual({});
      expect(error).toMatchObject({ message: expect.any(String), details: expect.any(Array), ...refusal.error });
      expect(Object.keys(error)).toEqual(expect.arrayContaining(['code', 'message', 'status', 'details', 'hint']));
      if (refusal.code === 2) expect(error.code).toBe('usage_error');
    },
  );

  it.each(['test', 'development', 'production'])('says no more than that under NODE_ENV=%s', async (mode) => {
    const env = { SVC_DATA_DIR: dataDir, NODE_ENV: mode };

    const { stderr } = await svc(['emails', 'send', '--bogus'], { env });

    expect(stderr).toBe('Error: Unknown flag: --bogus\nRun "svc emails send --help".\n');
  });

  it('has stored nothing by all that', async () => {
    const { code, stdout } = await run(['emails', 'list', '--json']);

    expect(code).toBe(0);
    expect(JSON.parse(stdout).pagination.total).toBe(0);
  });

  it('ends with 5 when nothing listens at the base URL', async () => {
    const closed = createTcpServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');

    const { code, stdout, stderr } = await run([
      'emails',
      'list',
      '--base-url',
      `http://127.0.0.1:${port}/v1`,
      '--api-key',
      'svc_test_x',
    ]);

    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toContain(`http://127.0.0.1:${port}/v1 cannot be reached: nothing listens there`);
    expect(stderr).toContain('svc dev');
  });

  it('ends with 5 when what answers there is another program', async () => {
    const server = createServer((_request, response) => response.end('<h1>It works!</h1>')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;

    const { code, stderr } = await run([
      'emails',
      'list',
      '--base-url',
      `http://127.0.0.1:${port}/v1`,
      '--api-key',
      'svc_test_x',
    ]);

    server.close();
    expect(code).toBe(5);
    expect(stderr).toContain('does not speak this API');
  });

  function run(args: string[]): Promise<Finished> {
    return svc(args, { cwd: folder.path, env: { SVC_DATA_DIR: dataDir } });
  }
});
