import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import pjson from '../../package.json' with { type: 'json' };
import { environment } from '../../src/cli/environment.js';
import { exitCodeMeanings } from '../../src/cli/errors/exit-codes.js';
import { control } from '../../src/contract/control/endpoints.js';
import { serviceDocument } from '../../src/contract/openapi/service-document.js';
import { ROOT } from '../support/cli/binary.js';
import {
  captionViolations,
  descriptionViolations,
  flagViolations,
  phraseViolations,
  proseViolations,
  sentenceViolations,
  summaryViolations,
  textViolations,
} from './english-rules.js';
import type { Source } from './import-graph.js';

interface Described {
  description?: string;
}

interface CommandTexts {
  id: string;
  summary: string;
  description?: string;
  needs?: string;
  exitCodes?: Record<string, string>;
  examples: (string | { description: string })[];
  flags: Record<string, Described>;
  args: Record<string, Described>;
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8'));
const commands: CommandTexts[] = Object.values(manifest.commands);

/** Words of other languages, some of which are English words that the rules avoid. */
const WORDS_OF_LANGUAGES = 'src/mime/extract/languages.ts';

function sources(): Source[] {
  return ['src', 'commands'].flatMap((directory) =>
    readdirSync(join(ROOT, directory), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${directory}/${name.replaceAll('\\', '/')}`)
      .filter((file) => file !== WORDS_OF_LANGUAGES)
      .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') })),
  );
}

/** Collects every value of the fields `description` and `summary` of an OpenAPI document, by field. */
function textsOf(node: unknown, found: { summary: string[]; description: string[] }, inExample = false) {
  if (typeof node !== 'object' || node === null || inExample) return found;
  for (const [key, value] of Object.entries(node)) {
    if ((key === 'summary' || key === 'description') && typeof value === 'string') found[key].push(value);
    else textsOf(value, found, key === 'example' || key === 'examples');
  }
  return found;
}

describe('the help of a command', () => {
  it.each(commands)('has a plain summary and description: $id', ({ summary, description = '', needs = '' }) => {
    expect([...summaryViolations(summary), ...proseViolations(description), ...proseViolations(needs)]).toEqual([]);
    expect(description).toMatch(/^$|\.$/);
    expect(description.split(/[.!?]\s/).length).toBeLessThanOrEqual(3);
  });

  it.each(commands)('describes flags, arguments and exit codes plainly: $id', ({ flags, args, exitCodes = {} }) => {
    const taken = [...Object.values(flags), ...Object.values(args)].map(({ description = '' }) => description);

    expect([...taken.flatMap(flagViolations), ...Object.values(exitCodes).flatMap(proseViolations)]).toEqual([]);
  });

  it('captions examples with what they do', () => {
    const captions = commands.flatMap(({ examples }) =>
      examples.flatMap((example) => (typeof example === 'string' ? [] : [example.description])),
    );

    expect(captions.length).toBeGreaterThan(20);
    expect(captions.flatMap(captionViolations)).toEqual([]);
  });

  it('names topics, exit codes and environment variables plainly', () => {
    const topics = Object.values(pjson.oclif.topics).map(({ description }) => description);

    expect(topics.flatMap(summaryViolations)).toEqual([]);
    expect([...Object.values(exitCodeMeanings), ...Object.values(environment)].flatMap(descriptionViolations)).toEqual(
      [],
    );
  });
});

describe('the reference of the API', () => {
  it('has imperative summaries, and noun phrases as descriptions', () => {
    const { paths, webhooks, ...rest } = serviceDocument({
      version: '0.0.0',
      server: { url: 'http://127.0.0.1:8025/v1', description: 'The local server.' },
    }) as Record<string, object>;
    const operations = textsOf(paths, { summary: [], description: [] });
    const others = textsOf([webhooks, rest], { summary: [], description: [] });

    expect(operations.summary.length).toBeGreaterThan(20);
    expect(operations.summary.flatMap(summaryViolations)).toEqual([]);
    expect([...operations.description, ...others.description].flatMap(descriptionViolations)).toEqual([]);
    expect(others.summary.flatMap(proseViolations)).toEqual([]);
  });

  it('has imperative summaries for the control API', () => {
    expect(Object.values(control).flatMap(({ summary }) => summaryViolations(summary))).toEqual([]);
  });
});

it('the texts in the sources have no forbidden phrase', () => {
  expect(sources().flatMap(textViolations)).toEqual([]);
});

describe('the rules of plain English', () => {
  it.each([
    'out.html is there already.',
    'nope.pdf is not there.',
    'There is no template named "x".',
    'To delete x needs --yes, because nobody can be asked.',
    'the body was indented anew',
    'recipient: is none of a, b',
    'Mend it, or remove it.',
    'The server is out of reach.',
    'It captured 2 mails this time.',
    'Let something happen to an email that was sent',
    'Which bring about an event',
    'The signature does not hold.',
    'A setting that this version does not know.',
    'The surroundings of a command',
  ])('find a phrase to avoid in %j', (text) => {
    expect(phraseViolations(text)).not.toEqual([]);
  });

  it.each([
    'The way to do it.',
    'the error says 404',
    'Template "welcom" not found.',
    'Email your customers.',
    'A process holds the lock.',
    'Users who do not know the name.',
  ])('accept %j', (text) => {
    expect(phraseViolations(text)).toEqual([]);
  });

  it.each([
    'Of a message, it has the beginning.',
    'The reply is sent. Of the others, none is.',
    'The header is no outcome.',
    'They are no codes.',
  ])('find a sentence that is hard to read in %j', (text) => {
    expect(sentenceViolations(text)).not.toEqual([]);
  });

  it.each(['It is no longer read.', 'It is no larger than the limit.', 'There is no limit.', 'The answer is no.'])(
    'accept the sentence %j',
    (text) => {
      expect(sentenceViolations(text)).toEqual([]);
    },
  );

  it.each([
    ['Addresses that nothing is sent to'],
    ['List emails.'],
    ['Show what a local server alone can tell of an email: recipients, envelope, events'],
  ])('refuse the summary %j', (summary) => {
    expect(summaryViolations(summary)).not.toEqual([]);
  });

  it.each([['How many to pass over.'], ['Of a bounce.'], ['The domain name.'], ['Sender'], ['Sender that\nsends.']])(
    'refuse the flag description %j',
    (description) => {
      expect(flagViolations(description)).not.toEqual([]);
    },
  );

  it('find a phrase in a source, with its line', () => {
    const file = 'src/cli/a.ts';

    expect(
      textViolations({ file, text: "// nobody\nfail('nobody is here');\nrun(x + ' is there already');\n" }),
    ).toEqual([
      expect.stringMatching(/^src\/cli\/a\.ts:2: "nobody"/),
      expect.stringMatching(/^src\/cli\/a\.ts:3: "is there already"/),
    ]);
  });
});
