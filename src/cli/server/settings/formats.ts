import { CommandError } from '../../errors/exit-codes.js';
import { safeJson } from '../../output/text.js';
import { shellQuote } from '../../process/shell-quote.js';

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
