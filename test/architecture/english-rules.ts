import ts from 'typescript';
import { lineOf, parse, type Source, walk } from './import-graph.js';

/** Holds the rules of plain English that a program can check. Each function returns the violations. */

/** Matches a first word that is no imperative: in lower case, in the third person, a gerund, an article. */
const NOT_IMPERATIVE = /^(?![A-Z][a-z])|^(?:[A-Z][a-z]*(?:[^s]s|ing)|The|An?|How|What|If|Where|When)$/;

const SUMMARY_CHARACTERS = 60;

/** Matches the first words of a description that is a clause instead of a noun, such as "How many to skip". */
const CLAUSE_START = /^(?:How|What|Where|When|Which|Who|Whom|Whose|Why|Whatever|Of|On|With|Those|Every one)\b/;

const ARTICLE_START = /^(?:The|A|An)\b/;

/**
 * Lists phrases that are wrong wherever they occur, and what to write instead. Phrases and senses, not common words.
 */
const FORBIDDEN: [phrase: RegExp, instead: string][] = [
  [/\banew\b|\bafresh\b/i, 'again, from scratch, re-'],
  [/\bwhoever\b|\bwhomever\b|\bnobody\b|\bsomebody\b/i, 'no one, or name the actor'],
  [/\b(?:is|are) there already\b|\bstands? there\b|\bthere already\b/i, 'already exists'],
  [/\b(?:is|are|was|were) not there\b/i, 'not found, does not exist'],
  [/\bto be had\b|\b(?:can|cannot) be had\b/i, 'available'],
  [/\bmend(?:s|ed|ing)?\b|\bcures?\b/i, 'fix'],
  [/\bbeside\b/i, 'next to, alongside, besides'],
  [/\bstands? (?:in|at|before|here)\b/i, 'is in, is defined in, is before'],
  [/\b(?:is|are) none of\b/i, 'must be one of'],
  [/\bout of reach\b|\bno way (?:to|there)\b|\bleads? there$/i, 'unreachable, cannot connect to'],
  [/\bput off\b|\bheld back\b/i, 'deferred, queued'],
  [/\bcall(?:ed|s)? off\b/i, 'cancelled'],
  [/\b(?:let|lets) (?:something|mail|it|the)\b/i, 'simulate, allow'],
  [/\bbring(?:s|ing)? about\b|\bbrought about\b/i, 'trigger, cause'],
  [/\b(?:becomes?|became) of\b/i, 'outcome of'],
  [/\b(?:is|are|was|were) (?:said|told)\b|\btells? of\b|\bunless said otherwise\b/i, 'reports, prints; default:'],
  [/\bsays (?:how|why|what|which|so|the rest)\b/i, 'explains, shows'],
  [/\btaken for\b/i, 'treated as'],
  [
    /\b(?:do|does|did) not hold\b|\bnot held\b|\bhow (?:far|many|long) (?:it|they) holds?\b/i,
    'failed, is invalid, applies to',
  ],
  [/\bfor want of\b|\bany more\b/i, 'because … is missing; anymore'],
  [/\btak(?:es|e) no (?:body|post|tls)\b|\bspeaks? no\b/i, 'does not accept, does not speak'],
  [/\bis no (?:key|file|url|http|template|placeholder|email|domain|directory)\b/i, 'is not a'],
  [/\bnames? no\b|\bknows? (?:no|none)\b/i, 'does not name, does not support'],
  [
    /\b(?:svc|it|that|which|server|client|command|process|version) (?:knows|knew|(?:does|did) not know)\b/i,
    'recognizes, is unknown to, does not depend on',
  ],
  [/\bsurroundings?\b/i, 'dependencies, environment'],
  [/\btrying again\b|\btried again\b|\btry it again\b/i, 'retrying, retried'],
  [
    /\bmails\b|\b(?:a|an|one|each|every|this|that|no|which) mail\b(?!-| server| client| delivery)/i,
    'email, emails, message',
  ],
  [/\bas if\b.*\bwere not\b|\bby its ends\b|\bthis once\b/i, 'say it directly'],
  [/\bnothing listens\b|\bno network leads\b/i, 'connection refused, network unreachable'],
];

export function phraseViolations(text: string): string[] {
  return FORBIDDEN.flatMap(([phrase, instead]) => {
    const found = phrase.exec(text)?.[0];
    return found === undefined ? [] : [`"${found}" in "${text}": write ${instead}`];
  });
}

/** Lists forms of sentences that are hard to read, in docs and comments, and what to write instead. */
const HARD_SENTENCES: [form: RegExp, instead: string][] = [
  [/\bOf (?:an?|the)\b/, 'the subject first'],
  [
    /(?<!\bthere )\b(?:is|are|was|were) no (?!(?:longer|larger|smaller|later|earlier|more|less)\b)[a-z`]+/i,
    'is not a, are not; or negate the verb',
  ],
];

export function sentenceViolations(prose: string): string[] {
  return HARD_SENTENCES.flatMap(([form, instead]) => {
    const found = form.exec(prose)?.[0];
    return found === undefined ? [] : [`"${found}" in "${prose}": write ${instead}`];
  });
}

/** Checks a text of one paragraph or more: a line break within a sentence makes ragged help. */
export function proseViolations(text: string): string[] {
  const broken = /[^\n.:]\n[^\n-]/.test(text) ? [`line break within a sentence: "${text}"`] : [];
  return [...broken, ...phraseViolations(text)];
}

/** Checks a summary: imperative, short, without a full stop. */
export function summaryViolations(summary: string): string[] {
  return [
    ...(summary.length > SUMMARY_CHARACTERS ? [`longer than ${SUMMARY_CHARACTERS} characters: "${summary}"`] : []),
    ...captionViolations(summary),
  ];
}

/** Checks the caption of an example: imperative, without a full stop, of any length. */
export function captionViolations(caption: string): string[] {
  const [first = ''] = caption.split(/[ ,]/);
  return [
    ...(NOT_IMPERATIVE.test(first) ? [`does not start with a verb: "${caption}"`] : []),
    ...(/[.;]$/.test(caption) ? [`ends with punctuation: "${caption}"`] : []),
    ...proseViolations(caption),
  ];
}

/** Checks the description of a flag or an argument: a noun phrase or an imperative, ending with a full stop. */
export function flagViolations(description: string): string[] {
  return [
    ...(ARTICLE_START.test(description) ? [`starts with an article: "${description}"`] : []),
    ...descriptionViolations(description),
  ];
}

/** Checks the description of a field, a parameter or a header of the API. */
export function descriptionViolations(description: string): string[] {
  return [
    ...(CLAUSE_START.test(description) ? [`does not start with a noun or a verb: "${description}"`] : []),
    ...(/[.?]$/.test(description) ? [] : [`does not end with a full stop: "${description}"`]),
    ...proseViolations(description),
  ];
}

/** Checks the texts of three words and more in a source file, which a person may read. */
export function textViolations(source: Source): string[] {
  const found: string[] = [];
  walk(parse(source), (node) => {
    if (
      !ts.isStringLiteralLike(node) &&
      !ts.isTemplateHead(node) &&
      !ts.isTemplateMiddle(node) &&
      !ts.isTemplateTail(node)
    )
      return;
    if (!/[a-z] +[a-z]+ +[a-z]/i.test(node.text)) return;
    found.push(...phraseViolations(node.text.trim()).map((each) => `${source.file}:${lineOf(node)}: ${each}`));
  });
  return found;
}
