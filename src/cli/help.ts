import { type Command, CommandHelp, Help, type Interfaces } from '@oclif/core';
import { type FieldForm, queryFields } from '../contract/vocabulary/query/fields.js';
import { exitCodesOf } from './errors/exit-codes.js';
import { usageLine } from './usage-line.js';

/** Renders help: commands grouped by task, and examples that can be copied unchanged. */

/** Groups commands and topics by task. Other commands are in the last section. */
const GROUPS: [title: string, names: string[]][] = [
  ['MAIL', ['emails', 'templates', 'domains', 'suppressions', 'analytics']],
  ['EVENTS', ['webhooks']],
  ['LOCAL SERVER', ['dev', 'logs', 'mcp', 'doctor']],
  ['SERVERS AND KEYS', ['profiles', 'whoami', 'api-keys']],
];
const REST = 'MORE';

/** Commands whose first example is part of the root help. */
const FIRST = ['dev', 'webhooks:listen', 'emails:send', 'emails:list', 'dev:exec'];

/** The query language in short. */
const QUERIES: [string, string][] = [
  ['Conditions', 'An email must meet all of them, such as: subject:order to:ada@example.test has:link'],
  ['Free text', 'A word, "a phrase", or /a regular expression/i, in the subject, addresses, text or attachment names'],
  ['Operators', 'OR between conditions, - to negate one, parentheses to group'],
  ['Patterns', '* for any text, or /REGEX/ or /REGEX/i, in texts, addresses and names'],
  ['Addresses', fieldsOf('address')],
  ['Texts', fieldsOf('text')],
  ['Names', fieldsOf('name')],
  ...fieldsWith('word').map(([name, { words = [] }]): [string, string] => [`${name}:`, words.join(', ')]),
  ['Headers', 'header:NAME, or header:NAME=TEXT'],
  ['Times', `${fieldsOf('time')}, with a date, a time or an age such as 2h`],
  ['Sizes', `${fieldsOf('size')}, such as 10kB`],
];

function fieldsWith(kind: FieldForm['kind']): [name: string, form: FieldForm][] {
  return Object.entries<FieldForm>(queryFields).filter(([, form]) => form.kind === kind);
}

function fieldsOf(kind: FieldForm['kind']): string {
  return fieldsWith(kind)
    .map(([name]) => `${name}:`)
    .join(' ');
}

class SvcCommandHelp extends CommandHelp {
  protected override defaultUsage(): string {
    return usageLine(this.command);
  }

  protected override args(args: Command.Arg.Any[]): [string, string | undefined][] | undefined {
    return super.args(args.map(withValues));
  }

  protected override flags(flags: Command.Flag.Any[]): [string, string | undefined][] | undefined {
    return super.flags(
      flags.map((flag) => (flag.type === 'option' ? { helpValue: 'VALUE', ...withValues(flag) } : flag)),
    );
  }

  /** Leaves out the global flags, which `svc help flags` explains. */
  protected override groupFlags(flags: Command.Flag.Any[]) {
    return { ...super.groupFlags(flags), flagGroups: {} };
  }

  /** Returns the global flags that the commands have, with their descriptions. */
  globalFlags(commands: readonly Pick<Command.Loadable, 'flags'>[]): string {
    const flags = new Map(commands.flatMap(({ flags }) => Object.entries(flags).filter(([, flag]) => isGlobal(flag))));
    const sorted = [...flags].sort(([one], [other]) => one.localeCompare(other));
    return this.section('GLOBAL FLAGS', this.flags(sorted.map(([name, flag]) => ({ ...flag, name }))) ?? '');
  }

  /** Prints each example on one line, because a wrapped command would be a different one when copied. */
  protected override examples(examples: Command.Example[] | undefined | string): string | undefined {
    if (!examples?.length) return undefined;
    return [examples]
      .flat()
      .map((example) => exampleText(typeof example === 'string' ? { command: example } : example))
      .join('\n\n');
  }

  protected override sections() {
    const { exitCodes = {}, needs } = this.command as { exitCodes?: Record<string, string>; needs?: string };
    const special = Object.keys(exitCodes).length > 0;
    const rows = special ? exitCodesOf(exitCodes, 'base-url' in this.command.flags) : [];
    const hasQuery = Object.values(this.command.flags).some(
      (flag) => 'helpValue' in flag && flag.helpValue === 'QUERY',
    );
    const globals = Object.entries(this.command.flags).filter(([, flag]) => isGlobal(flag));
    // A switch that is on by default is passed to turn it off.
    const names = globals.map(([name, flag]) => `--${'allowNo' in flag && flag.allowNo ? 'no-' : ''}${name}`);
    const [usage, args, flags, ...others] = super.sections();
    const listed = `${names.sort().join(', ')} (see: svc help flags)`;
    return [
      ...[usage, args, flags].flatMap((section) => section ?? []),
      {
        header: 'GLOBAL FLAGS',
        generate: () => (names.length > 0 ? [{ header: 'GLOBAL FLAGS', body: this.wrap(listed) }] : []),
      },
      ...others,
      { header: 'QUERIES', generate: () => (hasQuery ? [{ header: 'QUERIES', body: QUERIES }] : []) },
      { header: 'NEEDS', generate: () => (needs === undefined ? [] : [{ header: 'NEEDS', body: needs }]) },
      { header: 'EXIT CODES', generate: () => (rows.length > 0 ? [{ header: 'EXIT CODES', body: rows }] : []) },
    ];
  }
}

export default class SvcHelp extends Help {
  protected override CommandHelpClass = SvcCommandHelp;

  override async showHelp(argv: string[]): Promise<void> {
    const words = argv.filter((arg) => !arg.startsWith('-'));
    if (words.join() !== 'flags') return super.showHelp(argv);
    const [command] = this.config.commands;
    if (command) this.log(new SvcCommandHelp(command, this.config, this.opts).globalFlags(this.config.commands));
  }

  protected override async showRootHelp(): Promise<void> {
    const names = new Map<string, string>();
    for (const { id, summary, hidden } of this.config.commands) {
      if (!id.includes(':') && !hidden) names.set(id, summary ?? '');
    }
    for (const { name, description } of this.config.topics) {
      if (!name.includes(':')) names.set(name, description ?? '');
    }
    const grouped = new Set(GROUPS.flatMap(([, each]) => each));
    const rest = [...names.keys()].filter((name) => !grouped.has(name)).sort();
    const sections = [...GROUPS, [REST, rest] as const].map(([title, each]) =>
      this.section(
        title,
        each.map((name): [string, string] => [name, names.get(name) ?? '']),
      ),
    );
    const first = this.#firstExamples(FIRST).map(({ summary, command }) =>
      exampleText({ command, description: summary }),
    );
    this.log(
      [
        this.config.pjson.description,
        this.section('USAGE', '$ svc COMMAND [flags]'),
        this.section('EXAMPLES', first.join('\n\n')),
        ...sections,
        'Every command accepts --help (-h) and --json. "svc help COMMAND" shows help too, and "svc help flags" the global flags; "svc --version" (-v) prints the version.',
      ].join('\n\n'),
    );
  }

  protected override async showTopicHelp(topic: Interfaces.Topic): Promise<void> {
    await super.showTopicHelp(topic);
    const below = this.sortedCommands
      .map(({ id }) => id)
      .filter((id) => id.replaceAll(' ', ':').startsWith(`${topic.name}:`));
    this.log(this.section('EXAMPLES', this.#firstExamples(below).map(exampleText).join('\n')));
    this.log('');
  }

  /** Returns the first example of each command. */
  #firstExamples(ids: readonly string[]): { summary: string; command: string }[] {
    const commands = new Map(this.config.commands.map((command) => [command.id.replaceAll(' ', ':'), command]));
    return ids.flatMap((id) => {
      const { examples: [example] = [], summary = '' } = commands.get(id.replaceAll(' ', ':')) ?? {};
      if (example === undefined) return [];
      return [{ summary, command: typeof example === 'string' ? example : example.command }];
    });
  }
}

function isGlobal({ helpGroup }: Command.Flag.Any): boolean {
  return helpGroup === 'GLOBAL';
}

/** Returns the flag or argument with its values appended to the description, so that they wrap with the text. */
function withValues<Parameter extends { description?: string; options?: readonly string[] }>(
  parameter: Parameter,
): Parameter {
  const { description = '', options, ...rest } = parameter;
  return options
    ? ({ ...rest, description: `${description} One of ${options.join(', ')}.`.trim() } as Parameter)
    : parameter;
}

function exampleText({ command, description }: { command: string; description?: string }): string {
  return [...(description ? [`# ${description}`] : []), `$ ${command.replaceAll('<%= config.bin %>', 'svc')}`].join(
    '\n',
  );
}
