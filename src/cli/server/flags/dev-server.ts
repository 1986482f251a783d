import { isIP, isIPv6 } from 'node:net';
import { Flags, type Interfaces } from '@oclif/core';
import { API_KEY_FORM } from '../../../contract/vocabulary/access.js';
import { PORT_MAX } from '../../../contract/vocabulary/limits.js';
import { DEFAULT_HTTP_PORT, DEFAULT_SMTP_PORT } from '../../../contract/vocabulary/routes.js';
import { UsageError } from '../../errors/exit-codes.js';
import { trustDataDirFlag } from '../../flags/data-dir.js';
import { readBasePath, readExternalUrl, withBasePath } from '../../flags/values/urls.js';
import { readPorts, readServerFlags, serverFlags } from './server.js';
import { relayFlags } from './smtp.js';

/** Declares the flags with which `svc dev` sets up its server. */
export const devServerFlags = {
  'http-port': Flags.integer({
    description: 'Port of the REST API; 0 selects a free port.',
    default: DEFAULT_HTTP_PORT,
    min: 0,
    max: PORT_MAX,
  }),
  'smtp-port': Flags.integer({
    description: 'Port of the SMTP server; 0 selects a free port.',
    default: DEFAULT_SMTP_PORT,
    min: 0,
    max: PORT_MAX,
  }),
  host: Flags.string({ description: 'Address to listen on.', default: '127.0.0.1' }),
  'allow-host': Flags.string({
    description: 'Additional host name to accept, such as that of a container; repeatable.',
    helpValue: 'NAME',
    multiple: true,
  }),
  'allow-webhook-host': Flags.string({
    description: 'Host that webhooks may reach over plain http and at private addresses; repeatable.',
    helpValue: 'NAME',
    multiple: true,
  }),
  'external-url': Flags.string({
    description: 'URL at which browsers reach this server, for tracking links (default: its own address).',
    helpValue: 'URL',
  }),
  'base-path': Flags.string({
    description: 'Path below which a proxy serves this server, such as /mail (default: none).',
    helpValue: 'PATH',
  }),
  'inbox-password': Flags.string({
    description:
      'Password of the web inbox for browsers on other machines, at least 8 characters (default: only an API key opens it). SVC_INBOX_PASSWORD ' +
      'keeps it out of process listings.',
    helpValue: 'PASSWORD',
    env: 'SVC_INBOX_PASSWORD',
  }),
  'data-dir': Flags.string({
    description:
      'Directory for the server’s data (default: SVC_DATA_DIR, the nearest .svc/, or the user’s data directory).',
    helpValue: 'DIR',
    exclusive: ['in-memory'],
  }),
  ...trustDataDirFlag,
  'in-memory': Flags.boolean({
    description:
      'Keep everything in memory. Commands still find this server unless another one uses the data directory. Cannot ' +
      'be combined with --data-dir.',
  }),
  'api-key': Flags.string({
    description: 'API key to accept; must start with svc_test_ or svc_live_.',
    helpValue: 'KEY',
  }),
  ...serverFlags,
  ...relayFlags,
  dns: Flags.string({
    description: 'DNS to use for domain verification (default: simulated, or real with --dns-server).',
    options: ['simulated', 'real'],
  }),
  'dns-server': Flags.string({
    description: 'DNS resolver to use instead of the system’s; repeatable.',
    helpValue: 'HOST:PORT',
    multiple: true,
  }),
  'mailpit-without-keys': Flags.boolean({
    description: 'Serve the API of Mailpit, without a key, to everyone who can connect.',
  }),
  control: Flags.boolean({
    description: 'Serve the control API (/_svc); --no-control leaves only its health check.',
    allowNo: true,
    default: true,
  }),
};

/** With 10 attempts a minute, a shorter password could be guessed. */
const INBOX_PASSWORD_MIN = 8;

/** Returns the server’s options. @throws UsageError for a value that cannot be used. */
export function readDevServerFlags(flags: Interfaces.InferredFlags<typeof devServerFlags>) {
  const apiKey = flags['api-key'];
  if (apiKey !== undefined && !API_KEY_FORM.test(apiKey)) {
    throw new UsageError('--api-key must be svc_test_ or svc_live_ followed by letters, digits, - or _.');
  }
  const inboxPassword = flags['inbox-password'];
  if (inboxPassword !== undefined && inboxPassword.length < INBOX_PASSWORD_MIN) {
    throw new UsageError(`--inbox-password must have at least ${INBOX_PASSWORD_MIN} characters.`);
  }
  const basePath = flags['base-path'] === undefined ? '' : readBasePath(flags['base-path']);
  const externalUrl =
    flags['external-url'] === undefined ? undefined : withBasePath(readExternalUrl(flags['external-url']), basePath);
  const dns = readDnsFlags(flags.dns, flags['dns-server']);
  if (dns && flags.domain) {
    throw new UsageError(
      '--domain needs the simulated DNS.',
      'With real DNS, use "svc domains add" and "svc domains verify".',
    );
  }
  const server = readServerFlags(flags);
  const mailpit = flags['mailpit-without-keys'] ? ('everyone' as const) : server.mailpit;
  if (mailpit && !flags.control) {
    throw new UsageError('--mailpit cannot be combined with --no-control, because it opens what the control API has.');
  }
  return {
    host: flags.host,
    allowedHosts: (flags['allow-host'] ?? []).map((host) => readAllowedHost('--allow-host', host)),
    allowedWebhookHosts: (flags['allow-webhook-host'] ?? []).map((host) =>
      readAllowedHost('--allow-webhook-host', host),
    ),
    ...(externalUrl !== undefined && { externalUrl }),
    ...(basePath !== '' && { basePath }),
    ...readPorts(flags),
    ...(inboxPassword !== undefined && { inboxPassword }),
    apiKey,
    ...(dns && { dns }),
    ...server,
    ...(mailpit && { mailpit }),
    control: flags.control,
  };
}

/** Characters that cannot be part of a host name: other parts of a URL, and wildcards. */
const NOT_OF_A_NAME = /[\s/\\:?#@*]/;

/**
 * Returns a host of the flag --allow-host or --allow-webhook-host, in the form of a URL.
 * @throws UsageError when the text is not a single name or address.
 */
function readAllowedHost(flag: string, text: string): string {
  const url = `http://${isIPv6(text) ? `[${text}]` : text}`;
  if ((isIPv6(text) || !NOT_OF_A_NAME.test(text)) && URL.canParse(url)) return new URL(url).hostname;
  throw new UsageError(
    `${flag} must be a host name or an IP address, not ${JSON.stringify(text)}.`,
    `Leave out scheme and port, as in ${flag} app. Wildcards are not allowed; repeat the flag instead.`,
  );
}

const DNS_PORT = 53;

/**
 * Reads `HOST`, `HOST:PORT`, an IPv6 address or `[IPv6]:PORT`.
 * @throws UsageError for any other form.
 */
function readDnsServer(text: string): { host: string; port: number } {
  if (isIP(text)) return { host: text, port: DNS_PORT };
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]\s/]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = digits === undefined ? DNS_PORT : Number(digits);
  const readable = host !== undefined && port >= 1 && port <= PORT_MAX && (bracketed === undefined || isIP(host) === 6);
  if (!readable) throw new UsageError(`--dns-server must be HOST or HOST:PORT, not ${JSON.stringify(text)}.`);
  return { host, port };
}

/** Returns the DNS servers to look up domains with; undefined for the simulated DNS. */
function readDnsFlags(dns: string | undefined, servers: readonly string[] = []) {
  if (dns === 'simulated' && servers.length > 0) throw new UsageError('--dns-server requires --dns real.');
  return dns === 'real' || servers.length > 0 ? { servers: servers.map(readDnsServer) } : undefined;
}
