import assert from 'node:assert/strict';
import { parseDocument } from 'htmlparser2';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { frameHtml } from '../../../src/mime/frame/frame-html.js';

export interface FrameInput {
  html: string;
  remote: boolean;
  colorScheme: 'light' | 'dark' | undefined;
}

const OWN = '127.0.0.1:8025';
const CID_URL = '/inbox/content/logo?signature=x';
const LINK = 'https://link.example/';

/** Elements that run, load, submit or redirect. */
const ELEMENTS = new Set(
  (
    'script base iframe frame frameset object embed applet param portal fencedframe noscript title xmp plaintext noembed ' +
    'noframes animate set animatetransform animatemotion'
  ).split(' '),
);
const ATTRIBUTES = new Set(
  (
    'srcdoc http-equiv action formaction ping manifest archive classid code codebase data imagesrcset is nonce popover ' +
    'autofocus autoplay download attributionsrc dynsrc lowsrc profile shadowrootmode xml:base'
  ).split(' '),
);
const LOADING = new Set(['src', 'srcset', 'poster', 'background']);

/** An element as both parsers have it. Names are in lower case, with the prefix of a namespace. */
interface Element {
  name: string;
  attributes: [name: string, value: string][];
  /** The text directly in it. */
  text: string;
}

/** Rewrites HTML for a frame, and reads the result as trees of two other parsers. */
export function isSafeInFrame({ html, remote, colorScheme }: FrameInput): void {
  const options = { remote, contentUrls: new Map([['logo', CID_URL]]), ownHosts: [OWN, 'localhost:8025'], colorScheme };
  const { parts, links, hosts } = frameHtml(html, options);
  assert.equal(parts.length, links.length + 1);
  for (const link of links) assert.match(link, /^(https?|mailto|tel|sms):/i);
  for (const host of hosts) assert.match(host, /^http:\/\/[^/]+$/);
  assert.ok(!hosts.includes(`http://${OWN}`));
  const rewritten = parts.join(LINK);
  const trees = [true, false].map((scriptingEnabled) => elementsOf(parse(rewritten, { scriptingEnabled })));
  for (const element of [...trees.flat(), ...elementsOf(parseDocument(rewritten))]) {
    const problem = problemOf(element, remote);
    if (problem) assert.fail(`${problem} in ${rewritten}`);
  }
}

function problemOf({ name, attributes, text }: Element, remote: boolean): string | undefined {
  if (ELEMENTS.has(name)) return `element ${name}`;
  const valueFor = (wanted: string) => attributes.find(([attribute]) => attribute === wanted)?.[1];
  if (name === 'link' && !(remote && valueFor('rel') === 'stylesheet')) return 'link';
  if (name === 'meta' && !/^\s*(color-scheme|supported-color-schemes|viewport)\s*$/i.test(valueFor('name') ?? '')) {
    return `meta ${valueFor('name')}`;
  }
  for (const [attribute, value] of attributes) {
    const where = `${name} ${attribute}="${value}"`;
    if (attribute.startsWith('on') || ATTRIBUTES.has(attribute)) return where;
    if (attribute === 'target' && value !== '_blank') return where;
    const isReference = /(^|:)href$/.test(attribute);
    if (isReference && !isAllowedReference(value, remote)) return where;
    if (LOADING.has(attribute) && !value.split(/,\s+/).every((url) => isAllowed(url.trim(), remote))) return where;
    if (attribute === 'style' && !isAllowedStyle(value, remote)) return where;
    // Attributes of SVG have the values of style properties.
    if (!isReference && !LOADING.has(attribute) && /url\(/i.test(value) && !isAllowedStyle(value, remote)) return where;
  }
  if (name === 'style' && !isAllowedStyle(text, remote)) return `style ${text}`;
  return undefined;
}

function isAllowedReference(value: string, remote: boolean): boolean {
  return value === LINK || value.startsWith('#') || isAllowed(value, remote);
}

/** Returns whether a frame may load a URL, which can have the size of an image in a `srcset`. */
function isAllowed(value: string, remote: boolean): boolean {
  const [url = ''] = value.split(/\s/);
  if (/^data:(,|image\/|font\/)/i.test(url) || url === CID_URL) return true;
  return remote && /^https?:\/\//i.test(url) && new URL(url).host !== OWN && !/\/t\/[co]\/1\./.test(url);
}

/** Returns whether a style loads nothing, as far as it is written without escapes, which the frame's policy is for. */
function isAllowedStyle(css: string, remote: boolean): boolean {
  if (/\/t\/[co]\/1\./.test(css)) return false;
  return remote || !/url\(\s*["']?\s*(?:https?:)?\/\/|@import\s*["']\s*(?:https?:)?\/\//i.test(css);
}

type Node = DefaultTreeAdapterTypes.Node | ReturnType<typeof parseDocument>['children'][number];

/** Returns the elements of a tree. It is not recursive, because HTML can be nested deeply. */
function elementsOf(root: object): Element[] {
  const found: Element[] = [];
  const open = [root as Node];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const children = [
      ...('childNodes' in node ? (node.childNodes as Node[]) : []),
      ...('content' in node ? [node.content as Node] : []),
    ];
    open.push(...children);
    const name = 'tagName' in node ? node.tagName : undefined;
    if (name === undefined) continue;
    const attributes: [string, string][] =
      'attrs' in node
        ? node.attrs.map(({ prefix, name, value }) => [prefix ? `${prefix}:${name}` : name, value])
        : Object.entries((node as { attribs: Record<string, string> }).attribs);
    const text = children.map((child) => ('value' in child ? child.value : 'data' in child ? child.data : '')).join('');
    found.push({
      name: name.toLowerCase(),
      attributes: attributes.map(([attribute, value]) => [attribute.toLowerCase(), value]),
      text,
    });
  }
  return found;
}
