import { once } from '../../contract/vocabulary/lazy.js';
import { folded } from './fold.js';
import { languages } from './languages.js';

/** Finds the words of all languages in a text, in one pass. */

export type WordKind = 'code' | 'sign' | 'other' | 'enter' | 'purpose' | 'small' | 'offer' | 'booking' | LinkWordKind;
type LinkWordKind = 'verify' | 'login' | 'reset' | 'change' | 'password' | 'invite' | 'unsubscribe';

/** Words of a kind in a text. Words of different kinds can overlap. */
export interface Word {
  kind: WordKind;
  start: number;
  end: number;
}

/** A character of the words that begin alike. */
interface Node {
  /** Most characters have one that follows: it is found without a look-up. */
  first: number;
  child: Node | undefined;
  next: Map<number, Node> | undefined;
  /** Whether any letters can follow before the next word. */
  hasAny: boolean;
  /** Kinds of the words that end here, if no letter follows. */
  whole: WordKind[];
  /** Kinds of the words that end here, with all letters that follow. */
  open: WordKind[];
  /** Kinds of the words that end here, whatever follows. */
  unspaced: WordKind[];
}

/** Any letters up to the end of a word. */
const ANY = -1;

/** Words that begin where a word of the text does, and those that can be inside of one. */
interface Roots {
  outer: Node;
  inner: Node;
}

const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\u3000-\u30ff\uff00-\uffef\u2192]/u;

function nodeOf(): Node {
  return { first: ANY, child: undefined, next: undefined, hasAny: false, whole: [], open: [], unspaced: [] };
}

function after(node: Node, code: number): Node | undefined {
  return node.first === code ? node.child : node.next?.get(code);
}

function added(node: Node, code: number): Node {
  const known = after(node, code);
  if (known) return known;
  const child = nodeOf();
  node.hasAny ||= code === ANY;
  if (node.child) {
    node.next ??= new Map();
    node.next.set(code, child);
  } else {
    node.first = code;
    node.child = child;
  }
  return child;
}

const rootsOfAll = once(() => {
  const roots: Roots = { outer: nodeOf(), inner: nodeOf() };
  for (const words of Object.values(languages)) {
    for (const [, kind = '', list = ''] of words.matchAll(/^ *(\w+): (.*)/gm)) {
      for (const word of folded(list).split(',')) addWord(roots, word.trim(), kind as WordKind);
    }
  }
  return roots;
});

function addWord(roots: Roots, word: string, kind: WordKind): void {
  const isUnspaced = UNSPACED.test(word);
  let node = word.startsWith('*') || isUnspaced ? roots.inner : roots.outer;
  const text = word.replace(/^\*|\*$/g, '');
  for (let at = 0; at < text.length; at += 1) node = added(node, text[at] === '*' ? ANY : text.charCodeAt(at));
  (isUnspaced ? node.unspaced : word.endsWith('*') ? node.open : node.whole).push(kind);
}

/** Returns the words of a folded text by their positions, the longest of each kind at a position. */
export function wordsIn(text: string): Word[] {
  const words: Word[] = [];
  const roots = rootsOfAll();
  let isInside = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const outer = isInside ? undefined : after(roots.outer, code);
    if (outer) walk(text, at, outer, words);
    const inner = after(roots.inner, code);
    if (inner) walk(text, at, inner, words);
    isInside = classes[code] ? classes[code] !== OTHER : isLetter(code);
  }
  return words;
}

/** Adds the words that begin at a position. `root` is the node of their first character. */
function walk(text: string, start: number, root: Node, words: Word[]): void {
  const first = words.length;
  let node: Node | undefined = root;
  for (let at = start + 1; node; at += 1) {
    addAll(words, first, node.unspaced, start, at);
    if (node.open.length > 0) addAll(words, first, node.open, start, endOfWord(text, at));
    if (node.whole.length > 0 && !isLetter(text.charCodeAt(at))) addAll(words, first, node.whole, start, at);
    if (node.hasAny) {
      node = after(node, ANY) as Node;
      at = endOfWord(text, at);
    }
    const code = text.charCodeAt(at);
    node = after(node, code === HYPHEN ? SPACE : code);
  }
}

function addAll(words: Word[], first: number, kinds: readonly WordKind[], start: number, end: number): void {
  for (const kind of kinds) {
    let at = first;
    while (at < words.length && words[at]?.kind !== kind) at += 1;
    words[at] = { kind, start, end };
  }
}

const HYPHEN = 0x2d;
const SPACE = 0x20;

function endOfWord(text: string, from: number): number {
  let end = from;
  while (classOf(text.charCodeAt(end)) === LETTER && !UNSPACED.test(text[end] ?? '')) end += 1;
  return end;
}

const [OTHER, LETTER, DIGIT] = [1, 2, 3];
/** Classes of UTF-16 units, as far as they were looked up. */
const classes = new Uint8Array(0x10000);

function classOf(code: number): number {
  if (Number.isNaN(code)) return OTHER;
  if (classes[code] === 0) {
    const character = String.fromCharCode(code);
    classes[code] = /[\p{L}\p{M}]/u.test(character) ? LETTER : /\p{N}/u.test(character) ? DIGIT : OTHER;
  }
  return classes[code] as number;
}

function isLetter(code: number): boolean {
  return classOf(code) !== OTHER;
}
