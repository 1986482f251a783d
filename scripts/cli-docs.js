import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadSources } from './load-source.js';
import { writeOrCheck } from './written-file.js';

/**
 * Generates docs/cli.md from oclif's manifest of the built commands. `--check` writes nothing, and exits with 1 if the file is
 * out of date.
 */

const read = (file) => JSON.parse(readFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), 'utf8'));
const { commands } = read('oclif.manifest.json');
const { topics } = read('package.json').oclif;
const { exitCodeMeanings, exitCodesOf, environment, usageLine, valueName } = await loadSources(
  'src/cli/errors/exit-codes.ts',
  'src/cli/environment.ts',
  'src/cli/usage-line.ts',
);

const all = Object.values(commands)
  .filter(({ hidden }) => !hidden)
  .sort((a, b) => (a.id < b.id ? -1 : 1));
const isShared = ({ helpGroup }) => helpGroup === 'GLOBAL';
const callsService = ({ flags }) => 'base-url' in flags && isShared(flags['base-url']);

const words = (id) => id.replaceAll(':', ' ');
const nameOf = (id) => `svc ${words(id)}`;
const anchorOf = (id) => nameOf(id).replaceAll(' ', '-');
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
/** Escapes text so that Markdown does not read it as HTML tags. */
const prose = (text) => text.replaceAll('<', '&lt;');
const code = (text) => `\`${text}\``;
const link = ({ id }) => `[${code(nameOf(id))}](#${anchorOf(id)})`;
const listed = (values) => values.map(code).join(', ');

/** Returns a flag as a user types it. */
function spelling(flag) {
  const { name, char, type, allowNo, aliases = [] } = flag;
  const long = [allowNo ? `--[no-]${name}` : `--${name}`, ...aliases.map((alias) => `--${alias}`)];
  const value = type === 'option' ? ` ${valueName(flag)}` : '';
  return [...(char ? [`-${char}`] : []), ...long].map((each) => code(each + value)).join(', ');
}

function flagRow(flag) {
  const { description = '', options, helpValue, required, multiple, env } = flag;
  const notes = [
    ...(options && helpValue ? [`One of ${listed(options)}.`] : []),
    ...(required ? ['Required.'] : []),
    ...(multiple && !/repeatable/.test(description) ? ['Repeatable.'] : []),
    ...(env && !description.includes(env) ? [`Default: ${code(env)}.`] : []),
  ];
  const standard = flag.default === undefined || flag.default === false ? '' : code(String(flag.default));
  return `| ${cell(spelling(flag))} | ${cell(prose([description, ...notes].join(' ')))} | ${cell(standard)} |`;
}

function flagTable(flags) {
  return ['| Flag | Description | Default |', '|---|---|---|', ...flags.map(flagRow)];
}

/** Returns the environment variables that the texts of a command mention. */
function variablesOf({ description = '', args, flags }) {
  const texts = [
    description,
    ...[...Object.values(args), ...Object.values(flags)].flatMap((each) => [each.description ?? '', each.env ?? '']),
  ];
  return [...new Set(texts.join(' ').match(/\bSVC_[A-Z_]+/g) ?? [])].sort();
}

function exitCodeList(command) {
  const own = command.exitCodes ?? {};
  return exitCodesOf(own, callsService(command))
    .map(([each, meaning]) => (own[each] ? `${code(each)} (${meaning.replace(/\.$/, '')})` : code(each)))
    .join(', ');
}

function exampleLines({ examples = [] }) {
  return examples.flatMap((example) => {
    const { description, command } = typeof example === 'string' ? { command: example } : example;
    return [...(description ? [`# ${description}`] : []), command.replaceAll('<%= config.bin %>', 'svc')];
  });
}

function section(command) {
  const { id, summary, description, needs, args, flags } = command;
  const own = Object.values(flags).filter((flag) => !isShared(flag) && !flag.hidden);
  const shared = callsService(command) ? '[global flags](#global-flags)' : '`--json`';
  const variables = variablesOf(command);
  return [
    `### ${nameOf(id)}`,
    '',
    `${summary}.`,
    '',
    '```',
    `svc ${usageLine(command)}`,
    '```',
    ...(description ? ['', prose(description)] : []),
    ...(needs ? ['', `Needs: ${needs[0].toLowerCase()}${needs.slice(1)}`] : []),
    ...(Object.keys(args).length > 0
      ? ['', '| Argument | Description | Default |', '|---|---|---|', ...Object.values(args).map(argRow)]
      : []),
    ...(own.length > 0 ? ['', ...flagTable(own)] : []),
    '',
    `${own.length > 0 ? 'Also accepts' : 'Accepts'} ${callsService(command) ? `the ${shared}` : shared}.`,
    ...(variables.length > 0 ? ['', `Environment: ${listed(variables)}.`] : []),
    '',
    `Exit codes: ${exitCodeList(command)}.`,
    '',
    '```sh',
    ...exampleLines(command),
    '```',
    '',
  ];
}

function argRow(arg) {
  const { name, description = '', options, required } = arg;
  const notes = [...(options ? [`One of ${listed(options)}.`] : []), ...(required ? ['Required.'] : [])];
  const standard = arg.default === undefined ? '' : code(String(arg.default));
  return `| ${code(name.toUpperCase())} | ${cell(prose([description, ...notes].join(' ')))} | ${standard} |`;
}

function render() {
  const [client] = all.filter(callsService);
  const inTopic = (topic) => all.filter(({ id }) => id === topic || id.startsWith(`${topic}:`));
  const single = all.filter(({ id }) => !id.includes(':') && !topics[id]);
  const groups = Object.entries(topics).filter(([topic]) => !topic.includes(':'));
  const lines = [
    '# Command reference',
    '',
    'The help of every command, on one page. Generated by `npm run docs`; a test fails if it is out of date.',
    '',
    '| | |',
    '|---|---|',
    ...groups.map(([topic, { description }]) => `| ${description} | ${inTopic(topic).map(link).join(', ')} |`),
    `| Other commands | ${single.map(link).join(', ')} |`,
    '',
    '## Global flags',
    '',
    'Commands that call the service accept these flags as well. Every command accepts `--json`, `--no-input` and `--help`.',
    '',
    ...flagTable(Object.values(client.flags).filter(isShared)),
    '',
    '## Exit codes',
    '',
    'Exit codes are the same with and without `--json`.',
    '',
    '| Code | Meaning |',
    '|---|---|',
    ...Object.entries(exitCodeMeanings).map(([each, meaning]) => `| ${code(each)} | ${cell(meaning)} |`),
    '',
    '## Environment',
    '',
    '| Variable | Description |',
    '|---|---|',
    ...Object.entries(environment).map(([name, meaning]) => `| ${code(name)} | ${cell(meaning)} |`),
    '',
  ];
  for (const [topic, { description }] of groups)
    lines.push(`## ${words(topic)}`, '', `${description}.`, '', ...inTopic(topic).flatMap(section));
  lines.push('## Other commands', '', ...single.flatMap(section));
  return `${lines.join('\n').trimEnd()}\n`;
}

writeOrCheck('docs/cli.md', render(), 'npm run docs');
