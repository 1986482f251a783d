import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../support/cli/binary.js';
import { phraseViolations, sentenceViolations } from './english-rules.js';

/** The rules for Markdown that a program can check. Each function returns what violates them. */

export const COLUMNS = 100;

export interface Page {
  file: string;
  text: string;
}

/** Pages of docs that `npm run docs` writes; their texts are checked where they are written. */
const GENERATED = ['docs/cli.md'];

/** Returns every page that a person writes. */
export function writtenPages(): Page[] {
  const inDocs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`);
  return ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'bench/README.md', ...inDocs]
    .filter((file) => !GENERATED.includes(file))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));
}

interface Line {
  number: number;
  text: string;
}

/** Returns the lines of a page outside of fenced code. */
function proseLines({ text }: Page): Line[] {
  let inCode = false;
  return text.split('\n').flatMap((line, index) => {
    const isFence = line.trimStart().startsWith('```');
    if (isFence) inCode = !inCode;
    return isFence || inCode ? [] : [{ number: index + 1, text: line }];
  });
}

/** Finds prose lines that are too long. Tables are exempt, because a row cannot be wrapped. */
export function widthViolations(page: Page): string[] {
  return proseLines(page)
    .filter(({ text }) => !text.startsWith('|') && text.length > COLUMNS)
    .map(({ number, text }) => `${page.file}:${number}: ${text.length} columns`);
}

/** Finds phrases to avoid, also across a line break. Code is exempt. */
export function pagePhraseViolations(page: Page): string[] {
  const paragraphs: Line[] = [];
  let isOpen = false;
  for (const { number, text } of proseLines(page)) {
    const last = paragraphs.at(-1);
    if (isOpen && last && text.trim() !== '' && !/^\s*(?:[-|#]|\d+\.)/.test(text)) last.text += ` ${text.trim()}`;
    else paragraphs.push({ number, text });
    isOpen = text.trim() !== '';
  }
  return paragraphs.flatMap(({ number, text }) => {
    const prose = text.replace(/`[^`]*`/g, '`…`');
    return [...phraseViolations(prose), ...sentenceViolations(prose)].map((each) => `${page.file}:${number}: ${each}`);
  });
}

/** Finds links to files and headings that do not exist. */
export function linkViolations(page: Page): string[] {
  return proseLines(page).flatMap(({ number, text }) =>
    Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target) && !linkExists(page, target))
      .map((target) => `${page.file}:${number}: ${target} does not exist`),
  );
}

function linkExists(page: Page, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page.file : join(dirname(page.file), path);
  if (!existsSync(join(ROOT, file))) return false;
  if (anchor === undefined) return true;
  const text = path === '' ? page.text : readFileSync(join(ROOT, file), 'utf8');
  return proseLines({ file, text }).some(({ text: line }) => /^#+ /.test(line) && anchorOf(line) === anchor);
}

/** Returns the anchor that Markdown renderers give a heading. */
function anchorOf(heading: string): string {
  return heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
