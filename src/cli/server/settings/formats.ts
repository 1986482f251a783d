import { inboxUrl } from '../../../contract/vocabulary/inbox.js';
import { siteOf } from '../../../contract/vocabulary/routes.js';
import type { RunningServer } from '../../data-dir/server-file.js';
import { CommandError } from '../../errors/exit-codes.js';
import { safeJson, shellQuote } from '../../output/text.js';
import type { SmtpClientSettings } from './frameworks.js';

/** Formats the variables of a local server for shells, files and programs. */

export const settingsFormats = ['sh', 'fish', 'powershell', 'dotenv', 'github', 'json'] as const;
export type SettingsFormat = (typeof settingsFormats)[number];

type Variables = Record<string, string>;

const formats: Record<SettingsFormat, (variables: Variables) => string> = {
  sh: lines((name, value) => `export ${name}=${shellQuote(value)}`),
  fish: lines((name, value) => `set -gx ${name} ${fishQuote(value)}`),
  powershell: lines((name, value) => `$env:${name} = ${powershellQuote(value)}`),
  dotenv: lines((name, value) => `${name}=${dotenvQuote(value) ?? unsupported('dotenv', name)}`),
  github: lines((name, value) => `${name}=${LINE_BREAK.test(value) ? unsupported('github', name) : value}`),
  json: (variables) => `${safeJson(JSON.stringify(variables, null, 2))}\n`,
};

/**
 * Commands that fail in the shell that evaluates them. A shell ignores the exit code of a command substitution, so
 * `eval "$(svc dev env)"` would otherwise succeed without a server.
 */
const failures: Partial<Record<SettingsFormat, string>> = {
  sh: 'false\n',
  fish: 'false\n',
  powershell: "throw 'svc dev env failed'\n",
};

/** @throws CommandError for a value that the format cannot contain. */
export function formatSettings(format: SettingsFormat, variables: Variables): string {
  return formats[format](variables);
}

/** Returns what to print instead of variables that are not available; empty for a format that is not evaluated. */
export function failingCommand(format: SettingsFormat): string {
  return failures[format] ?? '';
}

function lines(line: (name: string, value: string) => string) {
  return (variables: Variables): string =>
    Object.entries(variables)
      .map(([name, value]) => `${line(name, value)}\n`)
      .join('');
}

/** In fish, only a single quote and a backslash are special within single quotes. */
function fishQuote(value: string): string {
  return `'${value.replace(/['\\]/g, '\\$&')}'`;
}

/** PowerShell ends a string in single quotes at a typographic quote, too. */
function powershellQuote(value: string): string {
  return `'${value.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}

const LINE_BREAK = /[\r\n]/;

/**
 * Returns a value as all readers of .env files understand it; undefined if they do not agree on any form of it. Within
 * double quotes, they differ in what they unescape and replace.
 */
function dotenvQuote(value: string): string | undefined {
  if (LINE_BREAK.test(value)) return undefined;
  if (/^[\w@%+=:,./-]+$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  return /["\\$`]/.test(value) ? undefined : `"${value}"`;
}

function unsupported(format: SettingsFormat, name: string): never {
  throw new CommandError(
    `The value of ${name} cannot be written in the format ${format}.`,
    'Choose another format, or a data directory whose name contains no line breaks or quotes.',
  );
}

/** The file for the certificate of a CA that is only in memory, as `svc dev ca` saves it. */
export const CA_FILE = 'ca.pem';

/** Returns what SMTP clients need. The user may be any name, because the password is an API key. */
export function smtpClientSettings({ smtp, tls, smtp_login, api_key }: RunningServer): SmtpClientSettings {
  return {
    ...smtp,
    starttls: tls?.starttls ?? undefined,
    caFile: tls && tls.ca !== null ? (tls.ca_file ?? CA_FILE) : undefined,
    login: smtp_login && { user: 'svc', password: api_key },
  };
}

/** Returns the environment variables that an application, or svc itself, needs to use a local server. */
export function serverVariables(server: RunningServer, dataDir: string): Record<string, string> {
  const { tls } = server;
  return {
    SVC_INBOX_URL: inboxUrl(siteOf(server.base_url)),
    SVC_BASE_URL: server.base_url,
    SVC_API_KEY: server.api_key,
    SVC_SMTP_HOST: server.smtp.host,
    SVC_SMTP_PORT: String(server.smtp.port),
    ...(tls?.smtps && { SVC_SMTP_TLS_PORT: String(tls.smtps.port) }),
    ...(tls?.ca_file && { SVC_CA_FILE: tls.ca_file }),
    SVC_WEBHOOK_SECRET: server.webhook_secret,
    SVC_DATA_DIR: dataDir,
  };
}
