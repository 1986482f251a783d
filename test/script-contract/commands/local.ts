import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ADMIN_KEY } from '../../support/cli/serve.js';
import type { LocalSpec } from '../command-spec.js';

/** Commands that need the local server. */
export const local: LocalSpec[] = [
  {
    command: 'suppressions add',
    calls: 'control',
    args: ({ unique }) => [`${unique}@example.test`],
    unknown: ['nobody'],
  },
  { command: 'suppressions list', calls: 'control', wrong: ['--limit=many'] },
  {
    command: 'suppressions remove',
    calls: 'control',
    args: async (fixture) => {
      const address = `${fixture.unique}@example.test`;
      await fixture.post('/_svc/suppressions', { address });
      return [address, '--yes'];
    },
    prints: ({ unique }) => ({ address: `${unique}@example.test`, removed: true }),
    unknown: ['eve@example.test', '--yes'],
  },
  {
    command: 'sendmail',
    calls: 'nothing',
    args: ({ shared }) => ['--data-dir', shared.local.ready.data_dir ?? '', 'ada@example.test'],
    input: 'From: a@example.test\nSubject: Hi\n\nHi\n',
    prints: () => ({
      mail_from: 'a@example.test',
      rcpt_to: ['ada@example.test'],
      reply: expect.stringMatching(/^250 /),
    }),
    wrong: ['-bd'],
    usageCode: 64,
  },
  {
    command: 'inbox',
    calls: 'control',
    args: async (fixture) => [(await fixture.email()).id, '--print'],
    prints: () => ({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+(?:\/[\w-]+)?\/inbox\/emails\/msg_/),
      opened: false,
    }),
    unknown: ['msg_none'],
  },
  {
    command: 'logs list',
    calls: 'control',
    args: async (fixture) => {
      await fixture.email();
      return ['--limit=5'];
    },
    wrong: ['--status=teapot'],
  },
  {
    command: 'logs tail',
    calls: 'control',
    longRunning: {
      readyOn: 'stderr',
      trigger: (fixture) => fixture.email(),
      exits: { SIGINT: 130, SIGTERM: 143 },
    },
    wrong: ['--method=PUT'],
  },
  {
    command: 'smtp sessions',
    calls: 'control',
    args: async (fixture) => {
      await fixture.smtpEmail();
      return ['--limit=5'];
    },
    wrong: ['--limit=0'],
    unknown: ['smtp_nobody'],
  },
  {
    command: 'smtp sessions',
    when: 'one',
    calls: 'control',
    args: async (fixture) => {
      await fixture.smtpEmail();
      return ['latest'];
    },
  },
  {
    command: 'smtp sessions',
    when: 'following',
    calls: 'control',
    args: () => ['--follow'],
    longRunning: {
      readyOn: 'stderr',
      trigger: (fixture) => fixture.smtpEmail(),
      exits: { SIGINT: 130, SIGTERM: 143 },
    },
  },
  {
    command: 'dev rules add',
    calls: 'control',
    args: ({ unique }) => ['--to', `${unique}@example.test`, '--outcome=bounced'],
    wrong: ['--to=*', '--outcome=delivered', '--reason=no'],
  },
  { command: 'dev audit', calls: 'control', wrong: ['--limit=many'] },
  { command: 'dev rules list', calls: 'control' },
  {
    command: 'dev rules remove',
    calls: 'control',
    args: async (fixture) => {
      const to = `${fixture.unique}@example.test`;
      return [(await fixture.post('/_svc/rules', { to, outcome: 'bounced' })).id, '--yes'];
    },
    prints: () => ({ id: expect.stringMatching(/^rul_/), removed: true }),
    unknown: ['rul_none', '--yes'],
  },
  {
    command: 'dev faults add',
    calls: 'control',
    args: ({ unique }) => ['--smtp=rcpt', '--code=550', '--to', `${unique}@example.test`],
    wrong: ['--smtp=rcpt', '--code=200'],
  },
  { command: 'dev faults list', calls: 'control' },
  {
    command: 'dev faults remove',
    calls: 'control',
    args: async (fixture) => {
      const to = `${fixture.unique}@example.test`;
      return [(await fixture.post('/_svc/faults', { smtp: 'rcpt', code: 550, to })).id, '--yes'];
    },
    prints: () => ({ id: expect.stringMatching(/^flt_/), removed: true }),
    unknown: ['flt_none', '--yes'],
  },
  {
    command: 'dev workspaces create',
    calls: 'control',
    args: ({ unique }) => [`w-${unique}`.toLowerCase()],
    wrong: ['Not a name'],
  },
  { command: 'dev workspaces list', calls: 'control' },
  {
    command: 'dev workspaces update',
    calls: 'control',
    args: async (fixture) => {
      const name = `u-${fixture.unique}`.toLowerCase();
      await fixture.post('/_svc/workspaces', { name });
      return [name, '--monthly-quota=5', '--yes'];
    },
    wrong: ['--monthly-quota=-1'],
    unknown: ['none', '--monthly-quota=5', '--yes'],
  },
  {
    command: 'dev workspaces delete',
    calls: 'control',
    args: async (fixture) => {
      const name = `d-${fixture.unique}`.toLowerCase();
      await fixture.post('/_svc/workspaces', { name });
      return [name, '--yes'];
    },
    prints: () => ({ name: expect.any(String), deleted: true }),
    unknown: ['none', '--yes'],
  },
  { command: 'dev clock show', calls: 'control' },
  { command: 'dev clock freeze', calls: 'control', alone: true },
  { command: 'dev clock resume', calls: 'control' },
  { command: 'dev clock reset', calls: 'control', alone: true },
  { command: 'dev clock advance', calls: 'control', args: () => ['1s'], wrong: ['soon'] },
  {
    command: 'dev clock set',
    calls: 'control',
    args: () => ['2030-01-01T00:00:00Z'],
    alone: true,
    wrong: ['tomorrow'],
  },
  {
    command: 'dev reset',
    calls: 'control',
    args: () => ['--yes'],
    alone: true,
    prints: () => ({ reset: true }),
  },
  {
    command: 'dev compact',
    calls: 'control',
    prints: () => ({ size_before: expect.any(Number), size: expect.any(Number) }),
  },
  {
    command: 'dev export',
    calls: 'control',
    args: () => ['state.tar.gz'],
    prints: ({ folder }) => ({ file: `${folder}/state.tar.gz`, bytes: expect.any(Number) }),
    wrong: ['.'],
  },
  {
    command: 'dev import',
    calls: 'control',
    args: async (fixture) => [await fixture.archive(), '--yes'],
    alone: true,
    prints: (_, answered) => answered.find(({ path }) => path.endsWith('/import'))?.data,
    wrong: ['.', '--yes'],
  },
];

/** Commands that start, find and stop the server of a data directory, or work without any. */
export const thisMachine: LocalSpec[] = [
  {
    command: 'dev',
    calls: 'nothing',
    args: () => ['--http-port=0', '--smtp-port=0'],
    wrong: ['--http-port=http'],
    longRunning: {
      readyOn: 'stdout',
      trigger: (fixture) => fixture.deliverToLocalServer(),
      // It runs until it is stopped: that is its normal end, not an interruption.
      exits: { SIGINT: 0, SIGTERM: 0 },
      outlivesReader: true,
    },
  },
  {
    command: 'serve',
    calls: 'nothing',
    args(fixture) {
      // This certificate ends soon, which causes the one line of the log.
      const key = join(fixture.folder, 'team.key');
      const cert = fixture.write('team.pem', certificate(key, '-days', '5'));
      const ports = ['--http-port=0', '--smtp-port=0'];
      return [...ports, `--api-key=${ADMIN_KEY}`, `--tls-cert=${cert}`, `--tls-key=${key}`, '--log-level=warn'];
    },
    wrong: ['--api-key=short'],
    longRunning: {
      readyOn: 'stderr',
      trigger: async () => {},
      exits: { SIGINT: 0, SIGTERM: 0 },
      outlivesReader: true,
    },
  },
  {
    command: 'dev env',
    calls: 'running server',
    // A shell that evaluates this fails.
    unreachable: 'false\n',
    prints: ({ server, dataDir }) => ({
      SVC_BASE_URL: server.base_url,
      SVC_API_KEY: server.api_key,
      SVC_SMTP_HOST: server.smtp.host,
      SVC_SMTP_PORT: String(server.smtp.port),
      SVC_WEBHOOK_SECRET: server.webhook_secret,
      SVC_INBOX_URL: server.inbox_url,
      SVC_DATA_DIR: dataDir,
    }),
  },
  {
    command: 'dev ca',
    calls: 'nothing',
    args(fixture) {
      fixture.write('data/ca.pem', certificate());
      return [];
    },
    content: 'without --json',
    prints: ({ dataDir }) => ({
      pem: expect.stringContaining('BEGIN CERTIFICATE'),
      file: `${dataDir}/ca.pem`,
      sha256: expect.any(String),
      not_after: expect.any(String),
    }),
  },
  {
    command: 'dev exec',
    calls: 'data directory',
    args: () => ['--', process.execPath, '-p', '"{}"'],
    content: 'with --json too',
  },
  {
    command: 'dev status',
    calls: 'running server',
    prints: ({ server: { base_url, smtp, pid }, dataDir }) =>
      expect.objectContaining({ running: true, base_url, smtp, pid, data_dir: dataDir }),
  },
  {
    command: 'dev report',
    calls: 'control',
    wrong: ['--since=yesterday'],
  },
  {
    command: 'dev stop',
    calls: 'running server',
    alone: true,
    prints: ({ server: { base_url, pid } }) => ({ stopped: true, base_url, pid }),
  },
  {
    command: 'doctor',
    // An unreachable or refused server is a finding, not a failure of the command.
    calls: 'nothing',
    args(fixture) {
      fixture.write('data', 'no directory');
      return [];
    },
    code: 1,
    asksForAFlag: true,
    prints: () => ({ ok: false, findings: expect.any(Array), damaged: [] }),
  },
  {
    command: 'mcp',
    // It starts without the local server, whose absence is the result of a call.
    calls: 'nothing',
    input: `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`,
    content: 'with --json too',
    wrong: ['--base-url=here'],
  },
  {
    command: 'openapi',
    calls: 'nothing',
    prints: () => expect.objectContaining({ openapi: '3.1.0' }),
    wrong: ['--base-url=here'],
  },
  {
    command: 'completion',
    calls: 'nothing',
    args: () => ['bash'],
    content: 'without --json',
    prints: () => ({ shell: 'bash', script: expect.stringContaining('svc') }),
    wrong: ['tcsh'],
  },
  {
    command: 'profiles add',
    calls: 'nothing',
    args: () => ['staging', '--base-url=https://api.example.test/v1', '--api-key-stdin'],
    input: 'svc_test_profile\n',
    prints: () => ({ name: 'staging', base_url: 'https://api.example.test/v1', current: false }),
    wrong: ['staging', '--base-url=here'],
  },
  {
    command: 'profiles list',
    calls: 'nothing',
    args: withProfile([]),
    prints: () => ({
      profiles: [
        { name: 'local', base_url: null, api_key: null, current: false },
        { name: 'staging', base_url: 'https://api.example.test/v1', api_key: 'svc_test_…file', current: true },
      ],
    }),
  },
  {
    command: 'profiles show',
    calls: 'nothing',
    args: withProfile(['staging']),
    prints: () => ({
      name: 'staging',
      base_url: 'https://api.example.test/v1',
      api_key: 'svc_test_…file',
      current: true,
    }),
    unknown: ['nobody'],
  },
  {
    command: 'profiles use',
    calls: 'nothing',
    args: withProfile(['staging']),
    prints: () => ({ name: 'staging', base_url: 'https://api.example.test/v1' }),
    unknown: ['nobody'],
  },
  {
    command: 'profiles remove',
    calls: 'nothing',
    args: withProfile(['staging']),
    prints: () => ({ name: 'staging', removed: true }),
    unknown: ['nobody'],
    wrong: ['local'],
  },
];

function withProfile(args: string[]): NonNullable<LocalSpec['args']> {
  return (fixture) => {
    fixture.writeProfile('staging', 'https://api.example.test/v1', 'svc_test_profile');
    return args;
  };
}

function certificate(keyFile = '/dev/null', ...more: string[]): string {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', keyFile];
  const args = ['req', '-x509', ...key, '-subj', '/CN=test', ...more];
  return execFileSync('openssl', args, { encoding: 'utf8', stdio: 'pipe' });
}
