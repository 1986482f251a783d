import { extract } from '../src/mime/extract/extract.js';
import {
  type CorpusMessage,
  namedLinks,
  precisionOf,
  readCorpus,
  recallOf,
  type Score,
  scoreOf,
  sum,
} from '../test/support/extraction/corpus.js';
import { describeMachine, printTable } from './support/figures.js';

/** Measures how well links and codes are found in the messages of test/fixtures/codes, and the time per message. */

const GOAL = 0.97;
const ROUNDS = Number(process.env.SVC_BENCH_ROUNDS ?? 20);

interface Result {
  message: CorpusMessage;
  codes: Score;
  links: Score;
}

export async function main(root: string): Promise<void> {
  console.log(`Links and codes; ${describeMachine()}`);
  console.log(`Goals for codes: precision ${GOAL}, recall ${GOAL}.\n`);
  const corpus = readCorpus(root);
  const results = corpus.map(resultOf);
  const languages = [...new Set(corpus.map(({ language }) => language))];
  const rows = languages.map((language) => {
    const some = results.filter(({ message }) => message.language === language);
    return row(language, some);
  });
  printTable(
    ['language', 'messages', 'without code', 'precision', 'recall', 'links precision', 'links recall', 'µs', 'goals'],
    [...rows, row('all', results)],
  );
}

function resultOf(message: CorpusMessage): Result {
  const { codes, links } = extract(message.input);
  const values = codes.map(({ value }) => value);
  const kinds = namedLinks(links.map(({ href, kind }) => [href, kind]));
  return { message, codes: scoreOf(message.codes, values), links: scoreOf(namedLinks(message.links), kinds) };
}

function row(name: string, results: readonly Result[]): string[] {
  const codes = sum(results.map((result) => result.codes));
  const links = sum(results.map((result) => result.links));
  const shares = [...sharesOf(codes), ...sharesOf(links)];
  const isMet = sharesOf(codes).every((share) => share === undefined || share >= GOAL);
  return [
    name,
    `${results.length}`,
    `${results.filter(({ message }) => message.codes.length === 0).length}`,
    ...shares.map((share) => share?.toFixed(3) ?? ''),
    timeOf(results.map(({ message }) => message)).toFixed(0),
    isMet ? 'met' : 'missed',
  ];
}

/** Returns precision and recall; undefined where nothing was found, or nothing was to be found. */
function sharesOf(score: Score): (number | undefined)[] {
  const { right, wrong, missing } = score;
  return [right + wrong > 0 ? precisionOf(score) : undefined, right + missing > 0 ? recallOf(score) : undefined];
}

/** Returns the median over rounds of the mean time per message, in microseconds. */
function timeOf(messages: readonly CorpusMessage[]): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    for (const { input } of messages) extract(input);
    return ((performance.now() - start) * 1000) / messages.length;
  });
  return times.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0;
}
