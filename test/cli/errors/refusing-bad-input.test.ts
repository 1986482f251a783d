import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Finished, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { expectRefusal, type Refusal } from '../../support/cli/refusal.js';

const folder = temporaryDirectory();
const dataDir = join(folder.path, 'data');
writeFileSync(join(folder.path, 'body.html'), '<p>Hi</p>');
const unreachable = ['--base-url', 'http://127.0.0.1:1/v1'];
const send = ['emails', 'send', '--to', 'ada@example.test'];

const usage: Record<string, Refusal> = {
  'an unknown command': { args: ['bogus'], code: 2, message: /Unknown command "svc bogus"/ },
  'an unknown command of a topic': { args: ['emails', 'lst'], code: 2, message: /Unknown command "svc emails lst"/ },
  'an unknown flag': { args: [...send, '--bogus'], code: 2, message: /Unknown flag: --bogus/ },
  'a flag without its value': { args: ['emails', 'send', '--to'], code: 2, message: /--to expects a value/ },
  'an argument that is missing': {
    args: ['emails', 'get'],
    code: 2,
    message: /^Error: Missing required argument ID\.\nPass an ID, latest, or --search QUERY\.\n$/,
  },
  'a flag of a topic': {
    args: ['emails', '--bogus=secret'],
    code: 2,
    message: /^Error: Unknown flag: --bogus\nRun "svc emails --help"\.\n$/,
  },
  'a flag of a topic of a topic': {
    args: ['dev', 'clock', '--bogus'],
    code: 2,
    message: /^Error: Unknown flag: --bogus\nRun "svc dev clock --help"\.\n$/,
  },
  'a flag of nothing': { args: ['--bogus'], code: 2, message: /^Error: Unknown flag: --bogus\nRun "svc --help"\.\n$/ },
  'a flag before its command': {
    args: ['--profile', 'x', 'emails', 'list'],
    code: 2,
    message: /^Error: Unknown flag: --profile\nPut flags after the command\. Run "svc --help"\.\n$/,
  },
  'the help of an unknown command': { args: ['bogus', '--help'], code: 2, message: /Unknown command "svc bogus"/ },
  'several arguments that are missing': {
    args: ['emails', 'simulate'],
    code: 2,
    message: /^Error: Missing required arguments ID and OUTCOME\.\n/,
  },
  'several flags that are missing': {
    args: ['webhooks', 'create'],
    code: 2,
    message: /^Error: Missing required flags --events and --url\.\n/,
  },
  'a flag without the one it needs': {
    args: ['webhooks', 'listen', '--forward-to', ':1', '--port', '0'],
    code: 2,
    message: /^Error: --port requires --public-url\.\n/,
  },
  'a number that is none': {
    args: ['emails', 'list', '--limit', 'many'],
    code: 2,
    message: /^Error: --limit must be an integer, not "many"\.\n/,
  },
  'a number out of range': {
    args: ['emails', 'list', '--limit', '101'],
    code: 2,
    message: /^Error: --limit must be an integer less than or equal to 100, not "101"\.\n/,
  },
  'two bodies of one kind': {
    args: [...send, '--html', 'a', '--html-file', 'b'],
    code: 2,
    message: /^Error: --html and --html-file cannot be used together\.\n/,
  },
  'a file to attach that is not there': {
    args: [...send, '--attach', 'nowhere.pdf'],
    code: 2,
    message: /--attach: nowhere\.pdf cannot be read: no such file or directory\./,
  },
  'no recipient and no request': {
    args: ['emails', 'send', '--subject', 'x'],
    code: 2,
    message: /Missing required flag --to/,
  },
  'two that read stdin': {
    args: [...send, '--vars', '-', '--text-file', '-'],
    code: 2,
    message: /Only one of .* can read stdin/,
  },
  'a request that is not JSON': {
    args: ['emails', 'send', '--data', '{"to":'],
    code: 2,
    message: /--data is not valid JSON/,
  },
  'a request that is a list': {
    args: ['emails', 'send', '--data', '@list.json'],
    code: 2,
    message: /list\.json must contain a JSON object/,
  },
  'variables that are a list': {
    args: [...send, '--vars', '[1]'],
    code: 2,
    message: /--vars must contain a JSON object\.\nPass a JSON object, @FILE, or - for stdin\.\n/,
  },
  'a request that is text': {
    args: ['emails', 'send', '--data', '"x"'],
    code: 2,
    message: /--data must contain a JSON object/,
  },
  'a file of variables that is not there': {
    args: [...send, '--vars', 'nowhere.json'],
    code: 2,
    message:
      /--vars: nowhere\.json cannot be read: no such file or directory\.\nPass a JSON object, @FILE, or - for stdin\.\n/,
  },
  'a template and HTML': {
    args: [...send, '--template', 'hi', '--html', 'x'],
    code: 2,
    message: /--html and --template cannot be used together/,
  },
  'two views of an email': {
    args: ['emails', 'get', 'latest', '--html', '--raw'],
    code: 2,
    message: /^Error: --html and --raw cannot be used together\.\n/,
  },
  'a directory to attach': {
    args: [...send, '--attach', '/'],
    code: 2,
    message: /--attach: \/ cannot be read: it is a directory\./,
  },
  'HTML that is not UTF-8': {
    args: [...send, '--html-file', 'latin1.html'],
    code: 2,
    message: /latin1\.html is not valid UTF-8\./,
  },
  'a base URL that is none': {
    args: ['emails', 'list', '--base-url', 'here', '--api-key', 'svc_test_x'],
    code: 2,
    message: /--base-url must be an http or https URL/,
  },
  'a base URL with a password': {
    args: ['emails', 'list', '--base-url', 'https://me:hunter2@mail.example.test/v1'],
    code: 2,
    message: /--base-url must not contain a user name or password\.(?!.*hunter2)/s,
  },
  'a base URL without its version': {
    args: ['emails', 'list', '--base-url', 'http://127.0.0.1:8125/'],
    code: 2,
    message: /--base-url must be .* ends in \/v1, not .*\nDid you mean http:\/\/127\.0\.0\.1:8125\/v1\?/,
  },
  'a base URL of one endpoint': {
    args: ['emails', 'list'],
    env: { SVC_BASE_URL: 'https://mail.example.test/api/v1/emails?limit=5' },
    code: 2,
    message: /SVC_BASE_URL must be .*\nDid you mean https:\/\/mail\.example\.test\/api\/v1\?/,
  },
  'a base URL whose version is in its query': {
    args: ['emails', 'list', '--base-url', 'https://mail.example.test/?path=/v1'],
    code: 2,
    message: /--base-url must be a URL without \? and #, not .*\nDid you mean https:\/\/mail\.example\.test\/v1\?/,
  },
  'a base URL whose version is in its fragment': {
    args: ['emails', 'list', '--base-url', 'https://mail.example.test/#/v1'],
    code: 2,
    message: /--base-url must be a URL without \? and #/,
  },
  'a profile whose base URL has no version': {
    args: ['profiles', 'add', 'staging', '--base-url', 'https://mail.example.test'],
    env: { SVC_API_KEY: 'svc_test_x' },
    code: 2,
    message: /Did you mean https:\/\/mail\.example\.test\/v1\?/,
  },
  'a key with a line break': {
    args: ['emails', 'list', ...unreachable],
    env: { SVC_API_KEY: 'svc_live_sec\nret' },
    code: 2,
    message: /^Error: SVC_API_KEY contains a character that is not allowed in an API key\.\n(?!.*(sec|ret|again in))/s,
  },
  'a key as svc shows it': {
    args: ['emails', 'list', ...unreachable, '--api-key', 'svc_live_…a1b2'],
    code: 2,
    message: /^Error: --api-key contains a character that is not allowed in an API key\.\n(?!.*a1b2)/s,
  },
  'a key for a profile with a blank': {
    args: ['profiles', 'add', 'staging', ...unreachable],
    env: { SVC_API_KEY: 'svc_live_sec ret' },
    code: 2,
    message: /^Error: SVC_API_KEY contains a character that is not allowed in an API key\.\n(?!.*(sec|ret))/s,
  },
  'a key of a profile with a line break': {
    args: ['emails', 'list', '--profile', 'broken'],
    env: { SVC_CONFIG_DIR: 'config' },
    code: 2,
    message: /^Error: profile broken contains a character that is not allowed in an API key\.\n(?!.*(sec|ret))/s,
  },
  'a key that is empty': {
    args: ['emails', 'list', ...unreachable, '--api-key', ''],
    code: 2,
    message: /--api-key must not be empty/,
  },
  'no key for a remote server': {
    args: ['emails', 'list', '--base-url', 'https://mail.example.test/v1'],
    code: 2,
    message: /SVC_API_KEY/,
  },
  'a URL to forward to that is none': {
    args: ['webhooks', 'listen', '--forward-to', 'ht tp://'],
    code: 2,
    message: /--forward-to must be a URL such as/,
  },
};

const profiles: Record<string, Refusal> = {
  'profiles that cannot be read': {
    args: ['emails', 'list'],
    env: { SVC_CONFIG_DIR: 'latin1.html' },
    code: 1,
    message: /latin1\.html\/profiles\.json cannot be read: part of the path is not a directory\n.*SVC_CONFIG_DIR/,
  },
  'a profile in use that is not there': {
    args: ['emails', 'list'],
    env: { SVC_CONFIG_DIR: 'config' },
    code: 1,
    message: /Profile "gone" \(from "current" in config\/profiles\.json\) not found/,
  },
  'a profile of the environment that is not there': {
    args: ['emails', 'list'],
    env: { SVC_CONFIG_DIR: 'config', SVC_PROFILE: 'brokn' },
    code: 1,
    message: /Profile "brokn" \(from SVC_PROFILE\) not found\.\nDid you mean broken\?/,
  },
};

const template = ['templates', 'render'];
const templates: Record<string, Refusal> = {
  'a directory that is not there': {
    args: [...template, 'nope'],
    code: 1,
    message: /Template directory "nope" not found/,
  },
  'a file in place of a directory': {
    args: [...template, 'latin1.html'],
    code: 1,
    message: /Template directory .* not found/,
  },
  'no template.json': {
    args: [...template, 'no-manifest'],
    code: 2,
    message: /template\.json cannot be read: no such file or directory\./,
  },
  'a broken template.json': { args: [...template, 'broken'], code: 2, message: /template\.json is not valid JSON/ },
  'a misspelt field': {
    args: [...template, 'misspelt'],
    code: 2,
    message: /unknown field subjekt; did you mean subject\?/,
  },
  'no body.html': {
    args: [...template, 'no-body'],
    code: 2,
    message: /no-body has no HTML\.\nAdd body\.html, or a source: /,
  },
  'a directory without templates to push': {
    args: ['templates', 'push', 'config'],
    code: 2,
    message: /config does not contain any templates\.\nCreate a template with "svc templates init"/,
  },
  'a template in place of its directory to push': {
    args: ['templates', 'push', 'thirsty'],
    code: 2,
    message: /thirsty does not contain any templates\.\nIt is a template itself\. Name the directory above it: \S+\n/,
  },
  'a file name in place of HTML': {
    args: [...send, '--html', '@body.html'],
    code: 2,
    message:
      /^Error: --html must be the content itself, not "@body\.html"\.\nTo read a file, pass --html-file body\.html\./,
  },
  'a path in place of HTML': {
    args: [...send, '--html', join(folder.path, 'body.html')],
    code: 2,
    message:
      /^Error: --html must be the content itself, not ".*body\.html"\.\nTo read a file, pass --html-file .*body\.html\./,
  },
  'an argument that is not an option': {
    args: ['emails', 'simulate', 'latest', 'xyz'],
    code: 2,
    message: /^Error: OUTCOME must be one of delivered, .*, not "xyz"\.\n/,
  },
  'a flag that is not an option': {
    args: ['dev', '--plan', 'xyz'],
    code: 2,
    message: /^Error: --plan must be one of free, .*, not "xyz"\.\n/,
  },
  'a variable without a value': {
    args: [...template, 'thirsty'],
    code: 1,
    message: /name is missing.*Pass a string, number or boolean for every placeholder/s,
    error: { code: 'invalid_variables', details: [{ path: 'variables.name', message: 'is missing' }] },
  },
  'a variable flag without =': {
    args: [...template, 'thirsty', '--var', 'name'],
    code: 2,
    message: /--var must be NAME=VALUE/,
  },
};

describe('a command that fails', () => {
  beforeAll(async () => {
    writeFileSync(join(folder.path, 'list.json'), '[]');
    writeFileSync(join(folder.path, 'latin1.html'), Buffer.from('<p>gr\xfc\xdfe</p>', 'latin1'));
    mkdirSync(join(folder.path, 'config'));
    const broken = { base_url: 'http://127.0.0.1:1/v1', api_key: 'svc_live_sec\nret' };
    writeFileSync(join(folder.path, 'config/profiles.json'), JSON.stringify({ current: 'gone', profiles: { broken } }));
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

  it.each(Object.entries({ ...usage, ...profiles, ...templates }))(
    'reports what was wrong and what to do: %s',
    (_, refusal) => expectRefusal(run, refusal),
  );

  it.each(['test', 'development', 'production'])('prints no more than that under NODE_ENV=%s', async (mode) => {
    const env = { SVC_DATA_DIR: dataDir, NODE_ENV: mode };

    const { stderr } = await svc(['emails', 'send', '--bogus'], { env });

    expect(stderr).toBe('Error: Unknown flag: --bogus\nRun "svc emails send --help".\n');
  });

  it('exits with 5 when no server listens at the base URL', async () => {
    const closed = createTcpServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');

    const { code, stdout, stderr } = await listAt(port);

    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toContain(`Cannot connect to http://127.0.0.1:${port}/v1: connection refused.`);
    expect(stderr).toContain('svc dev');
  });

  it('exits with 5 when another program answers there', async () => {
    const server = createServer((_request, response) => response.end('<h1>It works!</h1>')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;

    const { code, stderr } = await listAt(port);

    server.close();
    expect(code).toBe(5);
    expect(stderr).toContain('the response is not from this API');
  });

  function listAt(port: number): Promise<Finished> {
    return run(['emails', 'list', '--base-url', `http://127.0.0.1:${port}/v1`, '--api-key', 'svc_test_x']);
  }

  function run(args: string[], env: Record<string, string> = {}): Promise<Finished> {
    return svc(args, { cwd: folder.path, env: { SVC_DATA_DIR: dataDir, ...env } });
  }
});
