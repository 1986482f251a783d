import { clausesOf } from '../src/mime/extract/clauses.js';
import { candidatesIn } from '../src/mime/extract/codes/candidates.js';
import { messageOf, observe } from '../src/mime/extract/codes/score.js';
import { readDocument } from '../src/mime/extract/html-document.js';
import { type CorpusMessage, readCorpus } from '../test/support/extraction/corpus.js';

/** Fits the weights of src/mime/extract/codes/score.ts to the messages of test/fixtures/codes, and prints them. */

/** A candidate, by the numbers of its observations. */
interface Sample {
  isCode: boolean;
  observed: number[];
}

const NOT_FITTED = /eleventh/;
const REGULARIZATION = 0.15;
const STEPS = 400;
const RATE = 0.5;
/** Observations with a smaller weight, or of fewer candidates, are left out, and the others are fitted again. */
const WEIGHT_MIN = 0.3;
const CANDIDATES_MIN = 4;
const ROUNDS = 4;

export async function main(root: string): Promise<void> {
  const names: string[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (name: string) => {
    if (!numbers.has(name)) numbers.set(name, names.push(name) - 1);
    return numbers.get(name) as number;
  };
  const messages = readCorpus(root).filter(({ language }) => !NOT_FITTED.test(language));
  const samples = messages.flatMap((message) => samplesOf(message, numberOf));
  let fitted = regressionOf(samples, names.length);
  for (let round = 0; round < ROUNDS; round += 1) {
    const counts = names.map((_, number) => samples.filter(({ observed }) => observed.includes(number)).length);
    const isKept = (number: number) =>
      Math.abs(fitted.weights[number] ?? 0) >= WEIGHT_MIN && (counts[number] ?? 0) >= CANDIDATES_MIN;
    for (const sample of samples) sample.observed = sample.observed.filter(isKept);
    fitted = regressionOf(samples, names.length);
  }
  const used = new Set(samples.flatMap(({ observed }) => observed));
  const lines = [...used].map((number) => `  '${names[number]}': ${Number((fitted.weights[number] ?? 0).toFixed(1))},`);
  console.log(lines.sort().join('\n'));
  console.log(`const BASE = ${Number(fitted.base.toFixed(1))};`);
}

function samplesOf({ input, codes }: CorpusMessage, numberOf: (name: string) => number): Sample[] {
  return [readDocument(input.html).lines, input.text.split('\n')].flatMap((all) => {
    const lines = all.filter((line) => line !== '');
    if (lines.length === 0) return [];
    const clauses = clausesOf([input.subject, '', ...lines]);
    const searched = clauses.map((clause) => ({ clause, candidates: candidatesIn(clause.text) }));
    const message = messageOf(searched);
    return searched.flatMap(({ candidates }, index) =>
      candidates.map(({ value }, order) => ({
        isCode: codes.includes(value),
        observed: [...message.observed, ...observe(message, index, order)].map(numberOf),
      })),
    );
  });
}

/** A logistic regression by gradient descent, with a rate for each weight (AdaGrad). */
function regressionOf(samples: readonly Sample[], count: number): { weights: Float64Array; base: number } {
  const weights = new Float64Array(count);
  const squares = new Float64Array(count).fill(1e-6);
  let base = -1;
  let baseSquares = 1e-6;
  for (let step = 0; step < STEPS; step += 1) {
    const slopes = weights.map((weight) => REGULARIZATION * weight);
    let baseSlope = 0;
    for (const { isCode, observed } of samples) {
      const sum = observed.reduce((total, number) => total + (weights[number] ?? 0), base);
      const error = 1 / (1 + Math.exp(-sum)) - Number(isCode);
      baseSlope += error;
      for (const number of observed) slopes[number] = (slopes[number] ?? 0) + error;
    }
    baseSquares += baseSlope ** 2;
    base -= (RATE * baseSlope) / Math.sqrt(baseSquares);
    slopes.forEach((slope, number) => {
      squares[number] = (squares[number] ?? 0) + slope ** 2;
      weights[number] = (weights[number] ?? 0) - (RATE * slope) / Math.sqrt(squares[number] as number);
    });
  }
  return { weights, base };
}
