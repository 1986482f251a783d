import { UsageError } from '../../errors/exit-codes.js';

/** Reads the variables that configure Mailpit, so that its environment also configures svc. */

/** Returns the command line with flags for these variables, if it serves the API of Mailpit. Flags that are given win. */
export function withMailpitVariables(argv: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const isGiven = (name: string) => argv.slice(0, end).some((word) => word === name || word.startsWith(`${name}=`));
  if (env.SVC_MAILPIT !== '1' && !isGiven('--mailpit') && !isGiven('--mailpit-without-keys')) return [...argv];
  return [...flagsOf(env).flatMap(([name, value]) => (isGiven(name) ? [] : [`${name}=${value}`])), ...argv];
}

function flagsOf(env: NodeJS.ProcessEnv): [name: string, value: string][] {
  const { MP_MAX_AGE: maxAge, MP_SMTP_TLS_CERT: cert, MP_SMTP_TLS_KEY: key } = env;
  const users = (env.MP_SMTP_AUTH ?? '').split(/\s+/).filter((user) => user !== '');
  const keep = Number(env.MP_MAX_MESSAGES ?? 0);
  const isTls = Boolean(cert && key);
  const required = /^(?:1|true|yes|on)$/i.test(env.MP_SMTP_REQUIRE_STARTTLS ?? '');
  return [
    ...addresses(env),
    ...(keep > 0 ? [['--keep', String(keep)] as [string, string]] : []),
    ...(maxAge ? [['--max-age', maxAge] as [string, string]] : []),
    ...users.map((user): [string, string] => ['--smtp-user', user]),
    ...(users.length > 0 ? [['--smtp-auth', 'required'] as [string, string]] : []),
    ...(isTls
      ? ([
          ['--tls-cert', cert],
          ['--tls-key', key],
          ['--starttls', required ? 'required' : 'offered'],
        ] as [string, string][])
      : []),
  ];
}

/** @throws UsageError for an address that svc cannot listen on. */
function addresses(env: NodeJS.ProcessEnv): [name: string, value: string][] {
  const hosts = new Set<string>();
  const ports = Object.entries({ MP_UI_BIND_ADDR: '--http-port', MP_SMTP_BIND_ADDR: '--smtp-port' });
  const flags = ports.flatMap(([variable, flag]): [string, string][] => {
    const address = env[variable];
    if (!address) return [];
    const [, host, port] = /^(.*):(\d{1,5})$/.exec(address) ?? [];
    if (host === undefined || port === undefined) throw new UsageError(`${variable} must be HOST:PORT.`);
    hosts.add(host.replace(/^\[(.*)\]$/, '$1') || '::');
    return [[flag, port]];
  });
  if (hosts.size > 1) {
    throw new UsageError('MP_UI_BIND_ADDR and MP_SMTP_BIND_ADDR must have the same host.', 'Pass --host instead.');
  }
  return [...flags, ...[...hosts].map((host): [string, string] => ['--host', host])];
}
