import type { StyleSheet as CssTree, Declaration, Rule, Selector } from 'css-tree';
import type { Element, HtmlDocument, StyleSheet } from '../html/document.js';
import { NO_RANGE, parseStyle, parseStyleSheet, ruleDeclarations } from './parse-css.js';
import { type CompiledSelector, compileSelector, SelectorMatcher } from './selectors.js';

/** A rule of a style sheet for elements that one selector matches. */
interface StyleRule extends CompiledSelector {
  declarations: readonly Declaration[];
  order: number;
  /** The work of applying the declarations, in steps of a comparison. */
  weight: number;
}

/** Characters of declarations that take as long as a comparison. */
const STEP_CHARACTERS = 20;

/** A style sheet that could be parsed. */
export interface ParsedSheet extends StyleSheet {
  tree: CssTree;
}

/** Reads the styles of a document: those of style sheets outside of media queries, and those of `style` attributes. */
export class StyleRules {
  readonly sheets: readonly ParsedSheet[];
  readonly #matcher = new SelectorMatcher();
  /** Rules by what the styled element must have: `#id`, `.class`, a name, or `*`. */
  readonly #byKey = new Map<string, StyleRule[]>();
  readonly #parsed = new Map<string, Declaration[]>();
  readonly #elementsByKey = new Map<string, Element[]>();
  readonly #selectors = new Map<Selector, CompiledSelector | undefined>();
  readonly #counts = new Map<Selector, number>();

  constructor(document: HtmlDocument) {
    for (const element of document.elements) {
      for (const key of this.#keysOf(element)) listIn(this.#elementsByKey, key).push(element);
    }
    this.sheets = document.styleSheets.flatMap((sheet) => {
      const tree = parseStyleSheet(sheet.css);
      return tree ? [{ ...sheet, tree }] : [];
    });
    const rules = this.sheets.flatMap(({ tree }) => tree.children.toArray()).filter((node) => node.type === 'Rule');
    for (const [order, rule] of rules.entries()) this.#addRule(rule, order);
  }

  #addRule(rule: Rule, order: number): void {
    const declarations = ruleDeclarations(rule);
    const { start, end } = rule.block.loc ?? NO_RANGE;
    const weight = Math.ceil((end.offset - start.offset) / STEP_CHARACTERS);
    for (const selector of selectorsOf(rule)) {
      const compiled = this.#compiled(selector);
      if (compiled) listIn(this.#byKey, keyOf(compiled)).push({ ...compiled, declarations, order, weight });
    }
  }

  /** Returns the declarations for an element, the one that wins last. */
  declarationsOf(element: Element): Declaration[] {
    const rules = [...this.#rulesOf(element)].sort((a, b) => a.specificity - b.specificity || a.order - b.order);
    const all = [...rules.flatMap(({ declarations }) => declarations), ...this.inlineOf(element)];
    const important = all.filter((each) => each.important);
    return important.length === 0 ? all : [...all.filter((each) => !each.important), ...important];
  }

  *#rulesOf(element: Element): Generator<StyleRule> {
    for (const key of this.#keysOf(element)) {
      for (const rule of this.#byKey.get(key) ?? []) {
        if (this.#matcher.isExhausted) return;
        if (!this.#matcher.matches(element, rule)) continue;
        this.#matcher.spend(rule.weight);
        yield rule;
      }
    }
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
    const compiled = this.#compiled(selector);
    const candidates = (compiled && this.#elementsByKey.get(keyOf(compiled))) ?? [];
    let count = 0;
    for (const element of candidates) {
      if (!compiled || this.#matcher.isExhausted) break;
      count += Number(this.#matcher.matches(element, compiled));
    }
    this.#counts.set(selector, count);
    return count;
  }

  #compiled(selector: Selector): CompiledSelector | undefined {
    if (!this.#selectors.has(selector)) this.#selectors.set(selector, compileSelector(selector));
    return this.#selectors.get(selector);
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
  let list = map.get(key);
  if (!list) {
    list = [];
    map.set(key, list);
  }
  return list;
}
