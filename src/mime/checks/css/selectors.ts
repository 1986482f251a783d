import type { AttributeSelector, CssNode, Selector } from 'css-tree';
import type { Element } from '../html/document.js';

/** Matches elements against the selectors that mail clients commonly support. */

/** What one element must have, and how it is related to the element before it in the selector. */
interface Compound {
  combinator: ' ' | '>';
  name: string | undefined;
  id: string | undefined;
  classes: string[];
  attributes: AttributeSelector[];
}

export interface CompiledSelector {
  /** From the outermost element to the one that is styled. */
  compounds: Compound[];
  /** Higher wins: IDs, then classes and attributes, then names of elements. */
  specificity: number;
}

const ID_WEIGHT = 1_000_000;
const CLASS_WEIGHT = 1_000;

/** Compiles a selector. Returns undefined for one with pseudo-classes or other combinators. */
export function compileSelector({ children }: Selector): CompiledSelector | undefined {
  let current = compound(' ');
  const compounds = [current];
  let specificity = 0;
  for (const node of children.toArray()) {
    if (node.type === 'Combinator') {
      if (node.name !== ' ' && node.name !== '>') return undefined;
      current = compound(node.name);
      compounds.push(current);
      continue;
    }
    const weight = addTo(current, node);
    if (weight === undefined) return undefined;
    specificity += weight;
  }
  return { compounds, specificity };
}

function compound(combinator: Compound['combinator']): Compound {
  return { combinator, name: undefined, id: undefined, classes: [], attributes: [] };
}

/** Adds a condition. Returns its weight; undefined if it is unsupported. */
function addTo(target: Compound, node: CssNode): number | undefined {
  switch (node.type) {
    case 'TypeSelector':
      if (node.name === '*') return 0;
      target.name = node.name.toLowerCase();
      return 1;
    case 'IdSelector':
      target.id = node.name;
      return ID_WEIGHT;
    case 'ClassSelector':
      target.classes.push(node.name);
      return CLASS_WEIGHT;
    case 'AttributeSelector':
      target.attributes.push(node);
      return CLASS_WEIGHT;
    default:
      return undefined;
  }
}

/** Comparisons of elements with selectors for one email, and the work of applying the rules that match. */
const STEPS_MAX = 2_000_000;

/** Compares elements with selectors, up to a limit that only hostile HTML reaches. After it, nothing matches. */
export class SelectorMatcher {
  #steps = 0;
  readonly #classes = new Map<Element, ReadonlySet<string>>();

  get isExhausted(): boolean {
    return this.#steps > STEPS_MAX;
  }

  /** Counts further work of the caller toward the limit. */
  spend(steps: number): void {
    this.#steps += steps;
  }

  matches(element: Element, { compounds }: CompiledSelector, last = compounds.length - 1): boolean {
    this.#steps += 1;
    const compound = compounds[last];
    if (!compound || this.isExhausted || !this.#fits(element, compound)) return false;
    if (last === 0) return true;
    const selector = { compounds, specificity: 0 };
    if (compound.combinator === '>') {
      return element.parent !== undefined && this.matches(element.parent, selector, last - 1);
    }
    for (let ancestor = element.parent; ancestor; ancestor = ancestor.parent) {
      if (this.matches(ancestor, selector, last - 1)) return true;
    }
    return false;
  }

  classesOf(element: Element): ReadonlySet<string> {
    let classes = this.#classes.get(element);
    if (!classes) {
      classes = new Set((element.attributes.get('class') ?? '').split(/\s+/).filter(Boolean));
      this.#classes.set(element, classes);
    }
    return classes;
  }

  #fits(element: Element, { name, id, classes, attributes }: Compound): boolean {
    if (name !== undefined && name !== element.name) return false;
    if (id !== undefined && id !== element.attributes.get('id')) return false;
    if (classes.length > 0) {
      const own = this.classesOf(element);
      if (!classes.every((each) => own.has(each))) return false;
    }
    return attributes.every((attribute) => fitsAttribute(element, attribute));
  }
}

function fitsAttribute(element: Element, { name, matcher, value }: AttributeSelector): boolean {
  const actual = element.attributes.get(name.name.toLowerCase());
  if (actual === undefined || matcher === null) return actual !== undefined;
  const expected = value?.type === 'String' ? value.value : (value?.name ?? '');
  switch (matcher) {
    case '=':
      return actual === expected;
    case '~=':
      return actual.split(/\s+/).includes(expected);
    case '|=':
      return actual === expected || actual.startsWith(`${expected}-`);
    case '^=':
      return expected !== '' && actual.startsWith(expected);
    case '$=':
      return expected !== '' && actual.endsWith(expected);
    case '*=':
      return expected !== '' && actual.includes(expected);
    default:
      return false;
  }
}
