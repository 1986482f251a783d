import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LinkKind, linkKinds } from '../../../src/contract/vocabulary/emails.js';
import type { ExtractInput } from '../../../src/core/ports.js';

/** Reads the hand-written messages of test/fixtures/codes, and what is to be found in each. */

export interface CorpusMessage {
  language: string;
  name: string;
  input: ExtractInput;
  codes: string[];
  /** The kinds of all links, by URL. */
  links: Map<string, LinkKind>;
}

/**
 * A message is its name after `===`, fields and parts: `Subject: …`, a `Code: …` for each code, `KIND: URL` for each
 * link, and the text and the HTML after `--- text` and `--- html`.
 */
export function readCorpus(root: string): CorpusMessage[] {
  const directory = join(root, 'test/fixtures/codes');
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.txt'));
  return files.sort().flatMap((file) =>
    readFileSync(join(directory, file), 'utf8')
      .split(/^=== /m)
      .slice(1)
      .map((message) => readMessage(file.replace(/\.txt$/, ''), message)),
  );
}

function readMessage(language: string, message: string): CorpusMessage {
  const [head = '', ...parts] = message.split(/^--- /m);
  const [name = '', ...lines] = head.trim().split('\n');
  const fields = lines.map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)] as const);
  const valuesOf = (wanted: string) => fields.filter(([field]) => field === wanted).map(([, value]) => value);
  const bodyOf = (wanted: string) =>
    parts
      .find((part) => part.startsWith(`${wanted}\n`))
      ?.slice(wanted.length + 1)
      .trim() ?? '';
  return {
    language,
    name,
    input: { subject: valuesOf('Subject')[0] ?? '', html: bodyOf('html'), text: bodyOf('text'), head: null },
    codes: valuesOf('Code'),
    links: new Map(linkKinds.flatMap((kind) => valuesOf(kind).map((href) => [href, kind] as const))),
  };
}

/** Counts of what was found, and of what is wrong or missing. */
export interface Score {
  right: number;
  wrong: number;
  missing: number;
}

/** Compares the found values with the expected ones. */
export function scoreOf(expected: readonly string[], found: readonly string[]): Score {
  const right = found.filter((value) => expected.includes(value)).length;
  return { right, wrong: found.length - right, missing: expected.length - right };
}

/** Returns the links that have a kind, each with it. */
export function namedLinks(links: Iterable<readonly [href: string, kind: LinkKind]>): string[] {
  return [...links].filter(([, kind]) => kind !== 'other').map(([href, kind]) => `${kind} ${href}`);
}

export function sum(scores: readonly Score[]): Score {
  const total = { right: 0, wrong: 0, missing: 0 };
  for (const { right, wrong, missing } of scores) {
    total.right += right;
    total.wrong += wrong;
    total.missing += missing;
  }
  return total;
}

export function precisionOf({ right, wrong }: Score): number {
  return right / Math.max(1, right + wrong);
}

export function recallOf({ right, missing }: Score): number {
  return right / Math.max(1, right + missing);
}
