import { shellQuote } from '../../process/shell-quote.js';

/** Formats the variables of a local server for shells, files and programs. */

export const settingsFormats = ['sh', 'fish', 'powershell', 'dotenv', 'github', 'json'] as const;
export type SettingsFormat = (typeof settingsFormats)[number];

type Variables = Record<string, string>;

const formats: Record<SettingsFormat, (variables: Variables) => string> = {
  sh: lines((name, value) => `export ${name}=${shellQuote(value)}`),
  fish: lines((name, value) => `set -gx ${name} ${fishQuote(value)}`),
  powershell: lines((name, value) => `$env:${name} = '${value.replaceAll("'", "''")}'`),
  dotenv: lines((name, value) => `${name}=${dotenvQuote(value)}`),
  github: lines((name, value) => `${name}=${value}`),
  json: (variables) => `${JSON.stringify(variables, null, 2)}\n`,
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

/** Readers of .env files agree on plain values and single quotes, but differ in what they unescape. */
function dotenvQuote(value: string): string {
  if (/^[\w@%+=:,./-]+$/.test(value)) return value;
  return value.includes("'") ? `"${value.replace(/["\\$`]/g, '\\$&')}"` : `'${value}'`;
}
