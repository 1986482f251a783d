import type { Atrule, CssNode, Declaration, Rule, Selector, WalkContext } from 'css-tree';
import walk from 'css-tree/walker';
import { NO_RANGE } from '../css/parse-css.js';
import { type ParsedSheet, type StyleRules, selectorsOf } from '../css/style-rules.js';
import type { HtmlDocument } from '../html/document.js';
import {
  COMBINATOR_FEATURES,
  FUNCTION_FEATURES,
  KEYWORD_FEATURES,
  MEDIA_FEATURES,
  OLD_PSEUDO_ELEMENTS,
  propertyFeature,
  VALUE_FEATURES,
} from './css-names.js';
import type { FeatureUses } from './html-features.js';

/** Finds the features of CSS that a document uses. */
export function addCssFeatures({ elements }: HtmlDocument, styles: StyleRules, uses: FeatureUses): void {
  for (const sheet of styles.sheets) new SheetReader(sheet, styles, uses).read();
  for (const element of elements) {
    const slugs = new Set(styles.inlineOf(element).flatMap((declaration) => declarationFeatures(declaration)));
    for (const slug of slugs) uses.add(slug, element);
  }
}

/** Returns the largest number of elements that one of the selectors matches, and at least 1. */
function largestCount(selectors: readonly Selector[], styles: StyleRules): number {
  return selectors.reduce((largest, selector) => Math.max(largest, styles.count(selector)), 1);
}

/** Reads a style sheet. A feature counts once for each element that its rule styles, and at least once. */
class SheetReader {
  constructor(
    private readonly sheet: ParsedSheet,
    private readonly styles: StyleRules,
    private readonly uses: FeatureUses,
  ) {}

  read(): void {
    // The parser drops comments within rules.
    for (const { index, 0: text } of this.sheet.css.matchAll(/\/\*[^\n]{0,100}/g)) {
      const start = this.sheet.start + index;
      this.uses.add('css-comments', { start, end: start + text.length });
    }
    /** The numbers of elements that the rules around a position style. */
    const found: number[] = [];
    const { styles } = this;
    const add = this.#add.bind(this);
    const addAtrule = this.#addAtrule.bind(this);
    const addSelectors = this.#addSelectors.bind(this);
    walk(this.sheet.tree, {
      enter(this: WalkContext, node: CssNode) {
        if (node.type === 'Atrule') addAtrule(node);
        if (node.type === 'Rule') {
          if (found.length > 0) add('css-nesting', node);
          // A step of an animation has no selector.
          if (!this.atrule?.name.endsWith('keyframes')) addSelectors(node, this.atrule !== null);
          // Styles for some screens only count once.
          found.push(this.atrule ? 1 : largestCount(selectorsOf(node), styles));
        }
        if (node.type === 'Declaration') {
          for (const slug of new Set(declarationFeatures(node))) add(slug, node, found.at(-1));
        }
      },
      leave(node: CssNode) {
        if (node.type === 'Rule') found.pop();
      },
    });
  }

  #add(slug: string, node: CssNode, found = 1): void {
    const { start, end } = node.loc ?? NO_RANGE;
    this.uses.add(slug, { start: this.sheet.start + start.offset, end: this.sheet.start + end.offset }, found);
  }

  #addAtrule(node: Atrule): void {
    for (const slug of atruleFeatures(node, this.sheet.css)) this.#add(slug, node);
  }

  #addSelectors(rule: Rule, once: boolean): void {
    const selectors = selectorsOf(rule);
    if (selectors.length > 1) this.#add('css-selector-grouping', rule);
    for (const selector of selectors) {
      const found = once ? 1 : Math.max(1, this.styles.count(selector));
      for (const slug of selectorFeatures(selector)) this.#add(slug, selector, found);
    }
  }
}

/** Returns the features of an at-rule of a style sheet: its name, and what a media query asks for. */
export function atruleFeatures({ name: written, prelude }: Atrule, css: string): string[] {
  const name = written.toLowerCase().replace(/^-\w+-/, '');
  if (name !== 'media' || !prelude?.loc) return [`css-at-${name}`];
  const query = css.slice(prelude.loc.start.offset, prelude.loc.end.offset).toLowerCase();
  return ['css-at-media', ...MEDIA_FEATURES.flatMap(([part, slug]) => (query.includes(part) ? [slug] : []))];
}

/** Returns the features of a declaration: its property, its value, and both together. */
export function declarationFeatures({ property, value, important }: Declaration): string[] {
  const name = property.toLowerCase().replace(/^-\w+-/, '');
  const slugs = [property.startsWith('--') ? 'css-variables' : propertyFeature(name)];
  if (important) slugs.push('css-important');
  walk(value, (node) => {
    const slug = valueFeature(node);
    if (slug !== undefined) slugs.push(slug);
    if (node.type !== 'Identifier') return;
    const keyword = node.name.toLowerCase();
    for (const each of [KEYWORD_FEATURES.get(keyword), VALUE_FEATURES.get(`${name}: ${keyword}`)]) {
      if (each !== undefined) slugs.push(each);
    }
  });
  return slugs;
}

function valueFeature(node: CssNode): string | undefined {
  switch (node.type) {
    case 'Function':
      return FUNCTION_FEATURES.get(node.name.toLowerCase());
    case 'Dimension':
      return `css-unit-${node.unit.toLowerCase()}`;
    case 'Percentage':
      return 'css-unit-percent';
    default:
      return undefined;
  }
}

/** Returns the features of a selector. */
export function selectorFeatures(selector: Selector): Set<string> {
  const slugs = new Set<string>();
  let parts = 0;
  walk(selector, (node) => {
    if (node.type === 'Combinator') parts = 0;
    if (node.type === 'ClassSelector' || node.type === 'IdSelector' || node.type === 'TypeSelector') {
      parts += 1;
      if (parts === 2) slugs.add('css-selector-chaining');
    }
    const slug = selectorFeature(node);
    if (slug !== undefined) slugs.add(slug);
  });
  return slugs;
}

function selectorFeature(node: CssNode): string | undefined {
  switch (node.type) {
    case 'ClassSelector':
      return 'css-selector-class';
    case 'IdSelector':
      return 'css-selector-id';
    case 'AttributeSelector':
      return 'css-selector-attribute';
    case 'TypeSelector':
      return node.name === '*' ? 'css-selector-universal' : 'css-selector-type';
    case 'Combinator':
      return COMBINATOR_FEATURES.get(node.name);
    case 'PseudoClassSelector': {
      const name = node.name.toLowerCase();
      return `css-pseudo-${OLD_PSEUDO_ELEMENTS.has(name) ? 'element' : 'class'}-${name}`;
    }
    case 'PseudoElementSelector':
      return `css-pseudo-element-${node.name.toLowerCase().replace(/^-\w+-/, '')}`;
    default:
      return undefined;
  }
}
