import { URL_ATTRIBUTES } from './implied-ends.js';
import { readHtml } from './read-html.js';

/** Finds what a template left in an email: placeholders that were not replaced, and values that do not exist. */

/** Placeholders of template engines, and values of JavaScript that were converted to text. */
const LEFT_OVERS: readonly RegExp[] = [
  // {{name}}, {% if %}, <%= name %>, ${name}, #{name}, %{name}, *|NAME|*, {!! $name !!}, [[name]], %recipient.name%
  /\{\{[^{}]{0,200}\}\}\}?/g,
  /\{%[^{}%]{1,200}%\}/g,
  /<%[^<>%]{1,200}%>/g,
  /[$#%]\{[^{}\n]{1,200}\}/g,
  /\*\|[^|*\n]{1,100}\|\*/g,
  /\{!![^{}\n]{1,200}!!\}/g,
  /\[\[ ?[A-Za-z_][\w.]{0,60} ?\]\]/g,
  /(?<![\p{L}\p{N}_%])%[A-Za-z_][\w.]{2,60}%(?![\p{L}\p{N}_%])/gu,
  /\[object [A-Z][A-Za-z]{0,50}\]/g,
  /\bInvalid Date\b/g,
  /(?<![\p{L}\p{N}_-])NaN(?![\p{L}\p{N}_-])/gu,
  /(?<![\p{L}\p{N}_-])undefined(?![\p{L}\p{N}_-])/gu,
  /(?<![\p{L}\p{N}_-])null(?![\p{L}\p{N}_-])/gu,
  // The word is common. It stands for a value as a name after a greeting, and after a sign.
  /(?<=\b(?:[Dd]ear|[Hh]ello|[Hh]ey|[Hh]i|[Ww]elcome),? |[#$€£])None(?![\p{L}\p{N}_-])/gu,
];
/** The directives of printf: %s, %d, %1$s, %.2f, %(name)s. One after a digit is a percentage. */
const PRINTF = /(?<![\p{L}\p{N}_%])%(?:\d{1,2}\$)?(?:\.\d)?[sdf@](?![\p{L}\p{N}_%])|%\(\w{1,50}\)[sdf]/gu;
/** A value of a query parameter or a segment of a path that does not exist. */
const NO_VALUE_IN_URL = /(?<==|\/)(?:null|NaN|undefined)(?=[&#/?]|$)/g;

/** Words around `undefined` and `null` where they belong to the text: about programs, and before a noun in German. */
const TECHNICAL: Record<string, { before: RegExp; after: RegExp }> = {
  undefined: {
    before: /\b(?:an|properties of|property of) $/i,
    after:
      /^ (?:behaviou?r|constant|error|function|identifier|index|key|method|offset|property|reference|symbol|type|variable)s?\b/i,
  },
  null: {
    before: /\b(?:an?|be|if|is|no|not|or|returns?|the) $/i,
    after:
      /^ (?:and void|byte|character|check|hypothes|island|object|pointer|reference|result|set|string|value|\p{Lu}\p{Ll})/u,
  },
};
const CONTEXT_CHARACTERS = 30;

/** The parts of HTML that are searched. */
interface HtmlParts {
  /** What it shows, also hidden texts. */
  texts: string;
  /** The code that it shows. */
  code: string;
  attributes: readonly [name: string, value: string][];
}

interface SearchedEmail {
  subject: string;
  text: string;
  html: string;
  /** URLs of links. */
  links: readonly string[];
}

export interface LeftOver {
  value: string;
  /** The value with the text around it. */
  context: string;
  /** Where it is, as the end of a sentence. */
  place: string;
}

const TEXT = 'the text';

/** Returns what a template left in the subject, the text, the HTML and links, once for each place. */
export function findLeftOvers({ subject, text, html: source, links }: SearchedEmail): LeftOver[] {
  const html = partsOf(source);
  const places: [place: string, text: string, find: typeof inText][] = [
    ['the subject', subject, inText],
    [TEXT, onOneLine(text), inText],
    ['the HTML', onOneLine(html.texts), inText],
    ...attributePlaces([...html.attributes, ...links.map((href): [string, string] => ['href', href])]),
  ];
  const found = new Map<string, LeftOver>();
  for (const [place, searched, find] of places) {
    for (const { value, context } of find(searched)) {
      // HTML about templates shows placeholders as code, which the text cannot.
      if (place === TEXT && html.code.includes(value)) continue;
      const key = `${value} in ${place}`;
      if (!found.has(key)) found.set(key, { value, context, place });
    }
  }
  return [...found.values()];
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

type Match = Pick<LeftOver, 'value' | 'context'>;

function inText(text: string): Match[] {
  const all = [...LEFT_OVERS, PRINTF].flatMap((pattern) => [...text.matchAll(pattern)]);
  return all.filter((match) => !isTechnical(text, match)).map((match) => leftOver(text, match));
}

function isTechnical(text: string, { 0: word, index }: RegExpExecArray): boolean {
  const around = TECHNICAL[word];
  if (!around) return false;
  const end = index + word.length;
  return around.after.test(text.slice(end, end + 40)) || around.before.test(text.slice(Math.max(0, index - 20), index));
}

function inUrl(url: string): Match[] {
  const missing = [...url.matchAll(NO_VALUE_IN_URL)].map((match) => leftOver(url, match));
  return missing.length > 0 ? missing : inText(decoded(url));
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

function leftOver(text: string, { 0: value, index }: RegExpExecArray): Match {
  const start = Math.max(0, index - CONTEXT_CHARACTERS);
  return { value, context: text.slice(start, index + value.length + CONTEXT_CHARACTERS) };
}

/** Attributes that are shown or followed. */
const SHOWN_ATTRIBUTES = new Set(['alt', 'title', 'style', 'class', 'width', 'height', 'color', 'bgcolor', 'content']);

function attributePlaces(attributes: readonly [name: string, value: string][]) {
  const seen = new Set<string>();
  return attributes.flatMap(([name, value]): [string, string, typeof inText][] => {
    const key = `${name} ${value}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [[name === 'href' ? 'a link' : `an attribute ${name}`, value, URL_ATTRIBUTES.has(name) ? inUrl : inText]];
  });
}

/** Elements whose content is not shown. */
const UNSEEN = new Set(['script', 'style']);
/** Elements that show code. */
const CODE = new Set(['code', 'kbd', 'pre', 'samp', 'xmp']);

/** Returns the texts of an HTML text, also hidden ones, the code that it shows, and its attributes. */
function partsOf(html: string): HtmlParts {
  const texts: string[] = [];
  const code: string[] = [];
  const attributes: [string, string][] = [];
  let unseen: string | undefined;
  let codeDepth = 0;
  readHtml(html, {
    startTag({ tagName: name, attrs }) {
      texts.push(' ');
      if (UNSEEN.has(name)) unseen = name;
      if (CODE.has(name)) codeDepth += 1;
      for (const { name: attribute, value } of attrs) {
        if (SHOWN_ATTRIBUTES.has(attribute) || URL_ATTRIBUTES.has(attribute)) attributes.push([attribute, value]);
      }
    },
    endTag({ tagName: name }) {
      texts.push(' ');
      if (name === unseen) unseen = undefined;
      if (CODE.has(name)) codeDepth = Math.max(0, codeDepth - 1);
    },
    text(text) {
      if (unseen === undefined) (codeDepth > 0 ? code : texts).push(text);
    },
  });
  return { texts: texts.join(''), code: code.join(''), attributes };
}
