/**
 * Reads the commands of a Markdown page, in fenced blocks of `sh` (commands only) and `console` (with their output).
 */

export interface DocBlock {
  file: string;
  line: number;
  language: 'sh' | 'console';
  commands: string;
  /** What the commands print, line by line; `…` stands for any text. */
  output: string[];
  /** The last command runs until it is stopped. */
  runsUntilStopped: boolean;
  /** Why the block cannot run in a test. */
  untested?: string;
}

/** Languages whose blocks are not commands. Another language, or none, must be one of these. */
const DATA = [
  'js',
  'ts',
  'json',
  'http',
  'python',
  'go',
  'java',
  'php',
  'ruby',
  'rust',
  'csharp',
  'text',
  'yaml',
  'nginx',
  'caddyfile',
];

const FENCE = /^```(?<language>\w*) ?(?<words>[^\n]*)\n(?<body>.*?)^```$/gms;

/**
 * Returns the blocks of a page that contain commands.
 * @throws Error for a block of an unknown language, and for one that neither runs nor has a reason.
 */
export function commandBlocks(file: string, text: string): DocBlock[] {
  return Array.from(text.matchAll(FENCE)).flatMap((match) => {
    const { language = '', words = '', body = '' } = match.groups ?? {};
    const line = text.slice(0, match.index).split('\n').length;
    const at = `${file}:${line}`;
    if (DATA.includes(language)) return [];
    if (language !== 'sh' && language !== 'console') throw new Error(`${at}: name the block's language, such as sh`);
    const untested = /^untested: (.+)$/.exec(words)?.[1];
    if (words !== '' && words !== 'endless' && !untested)
      throw new Error(`${at}: "${words}" must be "endless" or "untested: REASON"`);
    const { commands, output } = language === 'sh' ? { commands: body, output: [] } : partsOf(body, at);
    return [
      { file, line, language, commands, output, runsUntilStopped: words === 'endless', ...(untested && { untested }) },
    ];
  });
}

/**
 * Splits a session into its output and its commands, which begin with `$ ` and continue after a `\` at the end of a
 * line.
 */
function partsOf(body: string, at: string): { commands: string; output: string[] } {
  const commands: string[] = [];
  const output: string[] = [];
  let continues = false;
  for (const line of body.trimEnd().split('\n')) {
    const isCommand: boolean = continues || line.startsWith('$ ');
    if (isCommand) commands.push(continues ? line : line.slice(2));
    else if (line.trim() !== '') output.push(line);
    continues = isCommand && line.endsWith('\\');
  }
  if (commands.length === 0) throw new Error(`${at}: the block has no command that begins with "$ "`);
  return { commands: `${commands.join('\n')}\n`, output };
}

/** Returns a pattern for a line of output: `…` matches any text, and columns can have any width. */
export function lineForm(line: string): RegExp {
  const parts = line
    .trim()
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&').replace(/ +/g, ' +'));
  return new RegExp(`^ *${parts.join('.*')} *$`, 'm');
}
