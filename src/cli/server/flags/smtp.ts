import { Flags, type Interfaces } from '@oclif/core';
import { readDuration } from '../../../contract/vocabulary/durations.js';
import { DAY_MS, PORT_MAX } from '../../../contract/vocabulary/limits.js';
import { loginModes, starttlsModes } from '../../../contract/vocabulary/smtp.js';
import { UsageError } from '../../errors/exit-codes.js';
import { durationFlag } from '../../flags/values/value-types.js';
import { readText } from '../../process/files.js';
import type { SmtpSettings } from '../tls/smtp-settings.js';

/** Declares the flags for TLS, logins and LMTP of a local server. */

const DEFAULT_SMTP_TLS_PORT = 1465;
const IDLE_MIN_MS = 1_000;
const portFlag = { min: 0, max: PORT_MAX };

export const smtpFlags = {
  starttls: Flags.option({
    description:
      'Offer STARTTLS on the SMTP port, or require it: "--starttls" or "--starttls=required". Clients have to trust ' +
      'the certificate; see svc dev ca.',
    helpValue: '[offered|required]',
    options: starttlsModes,
  })(),
  'smtp-tls-port': Flags.integer({
    description: `Port for SMTP with TLS from the start; ${DEFAULT_SMTP_TLS_PORT} without a number, 0 selects a free port (default: none).`,
    helpValue: '[PORT]',
    ...portFlag,
  }),
  'tls-cert': Flags.string({
    description: 'PEM file with the certificate for TLS and its chain (default: a certificate of the local CA).',
    helpValue: 'FILE',
    dependsOn: ['tls-key'],
  }),
  'tls-key': Flags.string({
    description: 'PEM file with the private key of --tls-cert.',
    helpValue: 'FILE',
    dependsOn: ['tls-cert'],
  }),
  'smtp-auth': Flags.option({
    description: 'SMTP logins: "any" accepts clients with and without one, "required" demands one, "off" refuses them.',
    options: loginModes,
    default: 'any' as const,
  })(),
  'smtp-user': Flags.string({
    description:
      'SMTP user; repeatable. Other names are refused, except with an API key as the password (default: any name and ' +
      'password is accepted).',
    helpValue: 'NAME:PASSWORD',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'smtp-users-file': Flags.string({
    description: 'File with one NAME:PASSWORD a line, which keeps passwords out of process listings.',
    helpValue: 'FILE',
  }),
  'smtp-idle-timeout': durationFlag({
    description: 'Idle time after which the server closes an SMTP or LMTP connection; 1s to 1d.',
    default: '5m',
  }),
  'lmtp-port': Flags.integer({
    description: 'Port for LMTP; 0 selects a free port (default: none).',
    helpValue: 'PORT',
    ...portFlag,
  }),
  'lmtp-socket': Flags.string({ description: 'Path of a Unix socket for LMTP (default: none).', helpValue: 'PATH' }),
  dsn: Flags.boolean({
    description:
      'Report bounces of emails received over SMTP to their envelope sender, in emails of their own, unless the client ' +
      'asked for none.',
  }),
};

/** Completes `--starttls` and `--smtp-tls-port` without a value, because oclif's flags cannot have an optional one. */
export function withTlsDefaults(argv: readonly string[]): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return argv.map((word, index) => {
    const next = index + 1 < end ? (argv[index + 1] ?? '') : '';
    if (index >= end) return word;
    if (word === '--starttls' && !starttlsModes.some((mode) => mode === next)) return '--starttls=offered';
    if (word === '--smtp-tls-port' && !/^\d+$/.test(next)) return `--smtp-tls-port=${DEFAULT_SMTP_TLS_PORT}`;
    return word;
  });
}

/** Returns the settings. @throws UsageError for flags that contradict each other, and for files that cannot be used. */
export async function readSmtpFlags(flags: Interfaces.InferredFlags<typeof smtpFlags>): Promise<SmtpSettings> {
  const { starttls, 'smtp-tls-port': tlsPort, 'smtp-auth': login } = flags;
  const { 'lmtp-port': lmtpPort, 'lmtp-socket': lmtpSocket } = flags;
  const users = await usersOf(flags);
  if (login === 'off' && users.size > 0) {
    throw new UsageError('--smtp-auth off cannot be combined with SMTP users.', 'Leave out --smtp-auth, or the users.');
  }
  const hasTls = starttls !== undefined || tlsPort !== undefined;
  if (!hasTls && flags['tls-cert'] !== undefined) {
    throw new UsageError('--tls-cert has no effect without TLS.', 'Add --starttls or --smtp-tls-port.');
  }
  return {
    login,
    users,
    bounceNotices: flags.dsn,
    idleMs: readIdleTimeout(flags['smtp-idle-timeout']),
    ...(starttls !== undefined && { starttls }),
    ...(tlsPort !== undefined && { tlsPort }),
    ...(flags['tls-cert'] !== undefined && {
      certificate: await (await import('../tls/own-certificate.js')).certificateOf(flags),
    }),
    ...(lmtpPort !== undefined && { lmtpPort }),
    ...(lmtpSocket !== undefined && { lmtpSocket }),
  };
}

/** @throws UsageError for a time outside of the bounds. */
function readIdleTimeout(text: string): number {
  const milliseconds = readDuration(text) ?? 0;
  if (milliseconds >= IDLE_MIN_MS && milliseconds <= DAY_MS) return milliseconds;
  throw new UsageError(`--smtp-idle-timeout must be 1s to 1d, not ${JSON.stringify(text)}.`, 'Pass another time.');
}

async function usersOf({ 'smtp-user': given = [], 'smtp-users-file': file }: SmtpFlags): Promise<Map<string, string>> {
  const inFile = file === undefined ? [] : readUsers('--smtp-users-file', await readText('--smtp-users-file', file));
  return new Map([...inFile, ...given.map((text) => readUser('--smtp-user', text))]);
}

type SmtpFlags = Interfaces.InferredFlags<typeof smtpFlags>;

/** Reads the users of the SMTP server. Messages do not repeat their passwords. */

/** Returns the name and password of NAME:PASSWORD. @throws UsageError */
function readUser(where: string, text: string): [name: string, password: string] {
  const colon = text.indexOf(':');
  if (colon <= 0 || colon === text.length - 1) throw new UsageError(`${where} must be NAME:PASSWORD.`);
  const user: [string, string] = [text.slice(0, colon), text.slice(colon + 1)];
  // They are hard to see, and every login would fail.
  if (user.every((part) => part === part.trim())) return user;
  throw new UsageError(`${where} must not have spaces around the name or the password.`);
}

/** Returns the users of a file with one a line. Empty lines and comments, which begin with #, are skipped. @throws UsageError */
function readUsers(flag: string, text: string): [name: string, password: string][] {
  return text.split('\n').flatMap((line, index) => {
    const entry = line.endsWith('\r') ? line.slice(0, -1) : line;
    const isSkipped = entry.trim() === '' || entry.trimStart().startsWith('#');
    return isSkipped ? [] : [readUser(`${flag}: line ${index + 1}`, entry)];
  });
}

/** Declares the flags of the SMTP server that captured emails are released to. */
export const relayFlags = {
  relay: Flags.string({
    description:
      'SMTP server for "svc emails release": smtp://[USER@]HOST[:PORT] (with STARTTLS), smtps://… or a name in ' +
      'relays.json. Default: SVC_RELAY.',
    helpValue: 'URL|NAME',
    env: 'SVC_RELAY',
  }),
  'relay-password-file': Flags.string({
    description: 'File with the password of the relay’s user (default: SVC_RELAY_PASSWORD).',
    helpValue: 'FILE',
    dependsOn: ['relay'],
  }),
  'relay-allow': Flags.string({
    description: 'Pattern of recipients that emails may be released to, such as "*@corp.test"; repeatable.',
    helpValue: 'PATTERN',
    multiple: true,
  }),
  'auto-release': Flags.string({
    description: 'Pattern of recipients whose emails are released automatically; repeatable.',
    helpValue: 'PATTERN',
    multiple: true,
  }),
};
