import type { Declaration, Rule, Selector } from 'css-tree';
import type { Element, HtmlDocument } from '../html/document.js';
import { parseStyle, parseStyleSheet, ruleDeclarations } from './parse-css.js';
import { type CompiledSelector, compileSelector, SelectorMatcher } from './selectors.js';

/** A rule of a style sheet for elements that one selector matches. */
interface StyleRule extends CompiledSelector {
  declarations: readonly Declaration[];
  order: number;
}

/** Reads the styles of a document: those of style sheets outside of media queries, and those of `style` attributes. */
export class StyleRules {
  readonly #matcher = new SelectorMatcher();
  /** Rules by what the styled element must have: `#id`, `.class`, a name, or `*`. */
  readonly #byKey = new Map<string, StyleRule[]>();
  readonly #parsed = new Map<string, Declaration[]>();
  readonly #elementsByKey = new Map<string, Element[]>();
  readonly #counts = new Map<Selector, number>();

  constructor(document: HtmlDocument) {
    for (const element of document.elements) {
      for (const key of this.#keysOf(element)) listIn(this.#elementsByKey, key).push(element);
    }
    let order = 0;
    for (const { css } of document.styleSheets) {
      const sheet = parseStyleSheet(css);
      for (const node of sheet?.children.toArray() ?? []) {
        if (node.type !== 'Rule') continue;
        for (const selector of selectorsOf(node)) {
          const compiled = compileSelector(selector);
          if (!compiled) continue;
          const rule = { ...compiled, declarations: ruleDeclarations(node), order };
          listIn(this.#byKey, keyOf(compiled)).push(rule);
          order += 1;
        }
      }
    }
  }

  /** Returns the declarations for an element, the one that wins last. */
  declarationsOf(element: Element): Declaration[] {
    const rules = this.#keysOf(element)
      .flatMap((key) => this.#byKey.get(key) ?? [])
      .filter((rule) => this.#matcher.matches(element, rule))
      .sort((a, b) => a.specificity - b.specificity || a.order - b.order);
    const all = [...rules.flatMap(({ declarations }) => declarations), ...this.inlineOf(element)];
    const important = all.filter((each) => each.important);
    return important.length === 0 ? all : [...all.filter((each) => !each.important), ...important];
  }

  /** Returns the declarations of an element's `style` attribute. */
  inlineOf(element: Element): Declaration[] {
    const style = element.attributes.get('style') ?? '';
    if (style === '') return [];
    const known = this.#parsed.get(style);
    if (known) return known;
    const declarations = parseStyle(style);
    this.#parsed.set(style, declarations);
    return declarations;
  }

  /** Returns the number of elements that a selector matches. */
  count(selector: Selector): number {
    const known = this.#counts.get(selector);
    if (known !== undefined) return known;
    const compiled = compileSelector(selector);
    const candidates = (compiled && this.#elementsByKey.get(keyOf(compiled))) ?? [];
    const count = compiled ? candidates.filter((element) => this.#matcher.matches(element, compiled)).length : 0;
    this.#counts.set(selector, count);
    return count;
  }

  #keysOf(element: Element): string[] {
    const id = element.attributes.get('id');
    const classes = Array.from(this.#matcher.classesOf(element), (each) => `.${each}`);
    return ['*', element.name, ...(id === undefined ? [] : [`#${id}`]), ...classes];
  }
}

export function selectorsOf({ prelude }: Rule): Selector[] {
  const selectors: Selector[] = [];
  if (prelude.type !== 'SelectorList') return selectors;
  for (const node of prelude.children.toArray()) if (node.type === 'Selector') selectors.push(node);
  return selectors;
}

function keyOf({ compounds }: CompiledSelector): string {
  const last = compounds.at(-1);
  if (last?.id !== undefined) return `#${last.id}`;
  if (last?.classes[0] !== undefined) return `.${last.classes[0]}`;
  return last?.name ?? '*';
}

function listIn<Value>(map: Map<string, Value[]>, key: string): Value[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}
