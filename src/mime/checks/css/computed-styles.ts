import { type Colord, colord } from 'colord';
import type { CssNode, Declaration } from 'css-tree';
import walk from 'css-tree/walker';
import type { Element } from '../html/document.js';
import { colorIn, isImage, over, readColor } from './colors.js';
import type { StyleRules } from './style-rules.js';

/** Computes the styles that decide whether a text can be read: colors, size, and whether it is shown. */

export interface ComputedStyle {
  color: Colord;
  /** Undefined over an image or a gradient. */
  background: Colord | undefined;
  /** Size in CSS pixels. */
  fontSize: number;
  bold: boolean;
  /** Whether the element hides its texts, and those of the elements in it. */
  hidden: boolean;
}

/** Returns whether a text with this style is visible. Elements in one with `font-size: 0` can have another size. */
export function isSeen({ hidden, fontSize }: ComputedStyle): boolean {
  return !hidden && fontSize > 0;
}

const FIRST: ComputedStyle = {
  color: colord('#000000'),
  background: colord('#ffffff'),
  fontSize: 16,
  bold: false,
  hidden: false,
};
const LINK_COLOR = '#0000ee';

/** Elements that mail clients do not show. */
const UNSEEN = new Set('head title style script template noscript textarea select option'.split(' '));
const HEADING_EMS = new Map([
  ['h1', 2],
  ['h2', 1.5],
  ['h3', 1.17],
  ['h4', 1],
  ['h5', 0.83],
  ['h6', 0.67],
]);
const BOLD = new Set(['b', 'strong', 'th', ...HEADING_EMS.keys()]);
const BOLD_WEIGHT = 600;

export class ComputedStyles {
  readonly #byElement = new Map<Element, ComputedStyle>();

  constructor(private readonly rules: StyleRules) {}

  /** Returns the style of an element. Elements are nested at most 200 deep. */
  of(element: Element | undefined): ComputedStyle {
    if (!element) return FIRST;
    let style = this.#byElement.get(element);
    if (!style) {
      style = { ...this.of(element.parent) };
      applyElement(style, element);
      const hiding = new HidingStyles();
      for (const declaration of this.rules.declarationsOf(element)) {
        applyDeclaration(style, declaration, this.of(element.parent));
        hiding.add(declaration);
      }
      style.hidden ||= hiding.isHidden;
      this.#byElement.set(element, style);
    }
    return style;
  }
}

/** Applies what an element and its attributes mean. */
function applyElement(style: ComputedStyle, { name, attributes }: Element): void {
  style.hidden ||= UNSEEN.has(name) || attributes.has('hidden');
  style.bold ||= BOLD.has(name);
  style.fontSize *= HEADING_EMS.get(name) ?? 1;
  if (name === 'a' && attributes.has('href')) style.color = colord(LINK_COLOR);
  const color = attributes.get(name === 'body' ? 'text' : 'color');
  if (color !== undefined && (name === 'body' || name === 'font')) style.color = readColor(color) ?? style.color;
  const background = attributes.get('bgcolor');
  if (background !== undefined) style.background = readColor(background) ?? style.background;
  if (attributes.get('background')) style.background = undefined;
}

function applyDeclaration(style: ComputedStyle, { property, value }: Declaration, parent: ComputedStyle): void {
  switch (property.toLowerCase()) {
    case 'color':
      style.color = colorIn(value) ?? (hasWord(value, 'inherit') ? parent.color : style.color);
      break;
    case 'background-color':
      style.background = over(colorIn(value), style.background);
      break;
    case 'background':
    case 'background-image':
      style.background = isImage(value) ? undefined : over(colorIn(value), style.background);
      break;
    case 'font-weight':
      style.bold = isBold(value, style.bold);
      break;
    case 'font':
      style.bold = isBold(value, false);
      style.fontSize =
        fontSize(value, parent.fontSize) ??
        (hasWord(value, 'inherit') ? parent.fontSize : style.fontSize || FIRST.fontSize);
      break;
    case 'font-size':
      // A size that cannot be read, such as "medium", is not zero.
      style.fontSize =
        fontSize(value, parent.fontSize) ??
        (hasWord(value, 'inherit') ? parent.fontSize : style.fontSize || FIRST.fontSize);
      break;
  }
}

function isBold(value: CssNode, inherited: boolean): boolean {
  const node = value.type === 'Value' ? value.children.first : null;
  if (hasWord(value, 'bold') || hasWord(value, 'bolder')) return true;
  if (hasWord(value, 'normal') || hasWord(value, 'lighter')) return false;
  return node?.type === 'Number' ? Number(node.value) >= BOLD_WEIGHT : inherited;
}

function hasWord(value: CssNode, word: string): boolean {
  let found = false;
  walk(value, (node) => {
    found ||= node.type === 'Identifier' && node.name.toLowerCase() === word;
  });
  return found;
}

const PIXELS = new Map([
  ['px', 1],
  ['pt', 4 / 3],
  ['pc', 16],
  ['rem', 16],
]);

/** Returns the first length of a value in CSS pixels. */
function fontSize(value: CssNode, inherited: number): number | undefined {
  let size: number | undefined;
  walk(value, (node) => {
    if (size !== undefined) return;
    if (node.type === 'Percentage') size = (inherited * Number(node.value)) / 100;
    if (node.type === 'Number' && Number(node.value) === 0) size = 0;
    if (node.type !== 'Dimension') return;
    const unit = node.unit.toLowerCase();
    size = unit === 'em' ? inherited * Number(node.value) : Number(node.value) * (PIXELS.get(unit) ?? Number.NaN);
  });
  return size === undefined || Number.isNaN(size) ? undefined : size;
}

/** Collects the declarations by which emails hide a text. */
class HidingStyles {
  readonly #values = new Map<string, string>();

  get isHidden(): boolean {
    const is = (property: string, pattern: RegExp) => pattern.test(this.#values.get(property) ?? '');
    return (
      is('display', /^none/) ||
      is('visibility', /^(?:hidden|collapse)/) ||
      is('mso-hide', /^all/) ||
      is('opacity', ZERO) ||
      (is('overflow', /^hidden/) && (is('max-height', ZERO) || is('height', ZERO)))
    );
  }

  add({ property, value }: Declaration): void {
    const first = value.type === 'Value' ? value.children.first : null;
    const text = value.type === 'Raw' ? value.value.trim() : firstText(first);
    this.#values.set(property.toLowerCase(), text.toLowerCase());
  }
}

const ZERO = /^0(?:\.0{1,9})?(?:[a-z%]|$)/;

function firstText(node: CssNode | null): string {
  if (node?.type === 'Identifier') return node.name;
  if (node?.type === 'Dimension') return `${node.value}${node.unit}`;
  return node?.type === 'Number' || node?.type === 'Percentage' ? node.value : '';
}
