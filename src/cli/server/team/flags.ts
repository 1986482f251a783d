import { isIP } from 'node:net';
import { Flags, type Interfaces } from '@oclif/core';
import type { SignIn } from '../../../app/app.js';
import { API_KEY_FORM, PERSON, PERSON_FORM, signInHeaders } from '../../../contract/vocabulary/access.js';
import { readDuration } from '../../../contract/vocabulary/durations.js';
import { planNames } from '../../../contract/vocabulary/limits.js';
import { UsageError } from '../../errors/exit-codes.js';
import { durationFlag } from '../../flags/values/value-types.js';
import { devServerFlags, readDevServerFlags } from '../flags/dev-server.js';
import { readSmtpFlags, smtpFlags } from '../flags/smtp.js';
import type { SmtpSettings } from '../tls/smtp-settings.js';
import { readDatabaseUrl, sourceOf } from './database-url.js';
import { LOG_LEVELS } from './team-log.js';

/** Declares and reads the flags of `svc serve`. Most are those of `svc dev`. */

const {
  'in-memory': _memory,
  control: _control,
  'api-key': _key,
  'data-dir': dataDir,
  'allow-webhook-host': _allowWebhookHost,
  'mailpit-without-keys': _mailpitWithoutKeys,
  plan: _plan,
  ...sharedFlags
} = devServerFlags;
const {
  'smtp-auth': _auth,
  'lmtp-port': _lmtpPort,
  'lmtp-socket': _lmtpSocket,
  'tls-cert': tlsCert,
  starttls,
  ...sharedSmtpFlags
} = smtpFlags;

export const teamServerFlags = {
  database: Flags.string({
    description:
      'PostgreSQL database, as postgres://USER:PASSWORD@HOST:PORT/NAME (default: the SQLite database of the data ' +
      'directory). SVC_DATABASE_URL keeps the password out of process listings.',
    helpValue: 'URL',
    env: 'SVC_DATABASE_URL',
  }),
  'api-key': Flags.string({
    description:
      'First admin API key, required; starts with svc_test_ or svc_live_ and has at least 25 characters. ' +
      'SVC_API_KEY keeps it out of process listings.',
    helpValue: 'KEY',
    env: 'SVC_API_KEY',
  }),
  ...sharedFlags,
  // A database is refused with the name of its flag or variable.
  'data-dir': { ...dataDir, exclusive: [] },
  plan: Flags.option({
    description: 'Plan whose limits apply to each workspace, and to what belongs to none; "none" disables them.',
    options: planNames,
    default: 'none' as const,
  })(),
  'allow-webhook-host': Flags.string({
    description:
      'Host that webhooks may reach over plain http, and at loopback or private addresses, and checks of links at loopback ' +
      'addresses; repeatable.',
    helpValue: 'NAME',
    multiple: true,
  }),
  ...sharedSmtpFlags,
  'tls-cert': {
    ...tlsCert,
    description:
      'PEM file with the certificate and its chain, for HTTP and SMTP. It is read again when it changes, and on SIGHUP.',
  },
  starttls: {
    ...starttls,
    description: 'Offer STARTTLS on the SMTP port, or require it (default: offered with --tls-cert).',
  },
  https: Flags.boolean({
    description: 'Serve HTTP with TLS (default: with --tls-cert); --no-https leaves it to a proxy.',
    allowNo: true,
  }),
  'trusted-proxy': Flags.string({
    description:
      'Address or network of a proxy, such as 10.0.0.0/8, whose X-Forwarded-For, -Proto and -Host are used; repeatable.',
    helpValue: 'ADDRESS',
    multiple: true,
  }),
  'sign-in-header': Flags.string({
    description:
      'Header in which a proxy of --trusted-proxy names the person that it has signed in, who may use the inbox: ' +
      `${signInHeaders.slice(0, -1).join(', ')} or ${signInHeaders.at(-1)}.`,
    helpValue: 'NAME',
  }),
  'sign-in-admin': Flags.string({
    description: 'Person with the rights of an admin key in the inbox, as the header names the person; repeatable.',
    helpValue: 'PERSON',
    multiple: true,
  }),
  'log-level': Flags.option({
    description: 'Least severe lines to log. Probes are logged at debug.',
    options: LOG_LEVELS,
    default: 'info' as const,
  })(),
  'drain-delay': durationFlag({
    description: 'Time between SIGTERM and the end of listening, in which /readyz answers 503.',
    default: '3s',
  }),
  'drain-timeout': durationFlag({
    description: 'Time after that for requests and messages that are under way.',
    default: '20s',
  }),
};

type TeamServerFlags = Interfaces.InferredFlags<typeof teamServerFlags>;

/** Characters of a key, with its prefix, that cannot be guessed over the network. */
const KEY_CHARACTERS = 25;
const TO_GENERATE_A_KEY = 'Generate one with: export SVC_API_KEY=svc_test_$(openssl rand -hex 16)';

/** Returns the options of the server. @throws UsageError for a value that cannot be used. */
export async function readTeamServerFlags(flags: TeamServerFlags) {
  const apiKey = readKey(flags['api-key']);
  const database = readDatabaseUrl(flags.database, process.env);
  if (database !== undefined && flags['data-dir'] !== undefined) throw twoStorages(database);
  const certificate = flags['tls-cert'] === undefined ? undefined : await readCertificate(flags);
  if (!certificate && (flags.starttls !== undefined || flags['smtp-tls-port'] !== undefined || flags.https)) {
    throw new UsageError('TLS needs a certificate.', 'Pass its files with --tls-cert and --tls-key.');
  }
  const { control: _, ...options } = readDevServerFlags({
    ...flags,
    ...{ 'api-key': apiKey, 'in-memory': false, 'mailpit-without-keys': false, control: true },
  });
  if (options.externalUrl !== undefined && options.basePath === undefined) refusePath(options.externalUrl);
  return {
    options: {
      ...options,
      smtp: await readSmtp(flags, certificate !== undefined),
      ...(certificate && flags.https !== false && { httpTls: certificate }),
      trustedProxies: (flags['trusted-proxy'] ?? []).map(readProxy),
      signIn: readSignIn(flags),
    },
    apiKey,
    database,
    drain: { acceptMs: readDuration(flags['drain-delay']) ?? 0, finishMs: readDuration(flags['drain-timeout']) ?? 0 },
  };
}

function twoStorages(database: string): UsageError {
  const source = sourceOf(database, process.env);
  const remedy = source === '--database' ? 'Leave out one of them.' : `Unset ${source}, or leave out --data-dir.`;
  return new UsageError(`--data-dir and ${source} cannot be used together.`, remedy);
}

/** The page of the inbox names its files and calls below the base path. */
function refusePath(externalUrl: string): void {
  const { pathname, origin } = new URL(externalUrl);
  if (pathname === '/') return;
  throw new UsageError(
    `--external-url has the path ${JSON.stringify(pathname)}, and the server has no base path.`,
    `Add --base-path ${pathname}, or leave out the path: --external-url ${origin}`,
  );
}

function readKey(key: string | undefined): string {
  if (!key) throw new UsageError('An admin API key is required.', TO_GENERATE_A_KEY);
  if (API_KEY_FORM.test(key) && key.length >= KEY_CHARACTERS) return key;
  if (API_KEY_FORM.test(key)) {
    throw new UsageError(
      `The API key has only ${key.length} characters, and must have at least ${KEY_CHARACTERS}.`,
      TO_GENERATE_A_KEY,
    );
  }
  throw new UsageError(
    'The API key must be svc_test_ or svc_live_ followed by letters, digits, - or _.',
    TO_GENERATE_A_KEY,
  );
}

/** Loads the module only for a server with TLS. */
export async function readCertificate(flags: Pick<TeamServerFlags, 'tls-cert' | 'tls-key'>) {
  return (await import('../tls/own-certificate.js')).certificateOf(flags);
}

function readSmtp(flags: TeamServerFlags, hasTls: boolean): Promise<SmtpSettings> {
  const starttlsMode = flags.starttls ?? (hasTls ? ('offered' as const) : undefined);
  const none = { 'lmtp-port': undefined, 'lmtp-socket': undefined };
  return readSmtpFlags({ ...flags, ...none, starttls: starttlsMode, 'smtp-auth': 'required' });
}

function readProxy(value: string): string {
  const [address = '', bits = '', ...more] = value.split('/');
  const version = isIP(address);
  const isNetwork =
    bits === '' ? !value.includes('/') : /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
  if (version !== 0 && isNetwork && more.length === 0) return value;
  throw new UsageError(
    `--trusted-proxy must be an address or a network, not ${JSON.stringify(value)}.`,
    'Pass the address from which the proxy connects, such as 10.0.0.5 or 10.0.0.0/8.',
  );
}

/** @throws UsageError for a sign-in that no one could use, or everyone. */
function readSignIn(flags: TeamServerFlags): SignIn | undefined {
  const { 'sign-in-header': name, 'sign-in-admin': admins = [], 'trusted-proxy': proxies = [] } = flags;
  const example = '--sign-in-header X-Forwarded-Email --trusted-proxy 10.0.0.5';
  if (name === undefined) {
    if (admins.length === 0) return undefined;
    throw new UsageError('--sign-in-admin needs --sign-in-header.', `Add the header of your proxy: ${example}`);
  }
  const header = signInHeaders.find((each) => each.toLowerCase() === name.toLowerCase());
  if (!header) {
    throw new UsageError(
      `--sign-in-header must be one of ${signInHeaders.join(', ')}, not ${JSON.stringify(name)}.`,
      'Pass the header that the proxy sets in each request. It must remove the one that a client has sent.',
    );
  }
  if (proxies.length === 0) {
    throw new UsageError('--sign-in-header needs --trusted-proxy.', `Add the address of the proxy: ${example}`);
  }
  const everyone = proxies.find((proxy) => Number(proxy.split('/')[1] ?? 1) === 0);
  if (everyone !== undefined) {
    throw new UsageError(
      `With --trusted-proxy ${everyone}, anyone could sign in as anyone.`,
      'With --sign-in-header, pass the address from which the proxy connects, such as 10.0.0.5.',
    );
  }
  const list = admins.find((admin) => admin.includes(','));
  if (list !== undefined) {
    throw new UsageError(
      `--sign-in-admin names one person, not ${JSON.stringify(list)}.`,
      'Repeat the flag for each: --sign-in-admin ada@example.com --sign-in-admin bob@example.com',
    );
  }
  const invalid = admins.find((admin) => !PERSON.test(admin));
  if (invalid !== undefined) {
    throw new UsageError(
      `--sign-in-admin must be ${PERSON_FORM}, not ${JSON.stringify(invalid)}.`,
      `Pass the name that ${header} has for the person, such as ada@example.com.`,
    );
  }
  return { header, admins };
}
