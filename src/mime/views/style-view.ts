import type { Colord } from 'colord';
import type { Atrule, CssNode, Declaration, Rule, Selector } from 'css-tree';
import walk from 'css-tree/walker';
import { colorNodeIn } from '../checks/css/colors.js';
import { NO_RANGE, parseStyle, parseStyleSheet } from '../checks/css/parse-css.js';
import { selectorsOf } from '../checks/css/style-rules.js';
import type { Range } from '../checks/places.js';
import { atruleFeatures, declarationFeatures, selectorFeatures } from '../checks/support/css-features.js';
import type { About, Rule as ClientRule } from './client-rules.js';
import type { DarkColors } from './dark-colors.js';
import type { Differences } from './differences.js';

/** Changes style sheets and `style` attributes as a mail client does. */

export interface StyleContext {
  differences: Differences;
  /** Undefined in light mode. */
  dark: DarkColors | undefined;
  hasImages: boolean;
}

const offsetsOf = ({ loc }: CssNode): Range => {
  const { start, end } = loc ?? NO_RANGE;
  return { start: start.offset, end: end.offset };
};
/** At-rules with rules in them. */
const WITH_RULES = new Set(['media', 'supports', 'layer', 'container', 'document']);
export const WHITE = '#ffffff';
const BACKGROUND = new Set(['background', 'background-color']);

export type Part = 'text' | 'background';

type AttributeRule = Extract<ClientRule, { kind: 'attribute-selector' }>;

/** What is found in a text of CSS. Ranges are those of the text. */
interface Visitor {
  removed(about: About, range: Range): void;
  changed(about: About, range: Range): void;
  features(slugs: readonly string[], range: Range): void;
  /** Something that the view does not show. */
  partial(about: About, range: Range): void;
  /** A color that dark mode changes, of a text or a background. */
  darkened(range: Range, note: string, part: Part): void;
}

/** Changes one text of CSS. */
class StyleEditor {
  readonly edits: Edit[] = [];
  /** The rule by which the client removes the whole text. */
  blockedBy: About | undefined;

  constructor(
    private readonly css: string,
    private readonly context: StyleContext,
    private readonly visitor: Visitor,
    private readonly isAttribute: boolean,
  ) {}

  rules(nodes: readonly CssNode[], parent: 'sheet' | 'rule' | 'at-rule', start: number): void {
    let before = start;
    for (const node of nodes) {
      const range = offsetsOf(node);
      const follows = this.css.slice(before, range.start);
      before = range.end;
      if (node.type === 'Rule') this.#rule(node, parent === 'rule', follows);
      else if (node.type === 'Atrule' && this.#atrule(node, parent)) return;
    }
    if (parent !== 'sheet') this.declarations(nodes.filter((node) => node.type === 'Declaration'));
  }

  declarations(nodes: readonly Declaration[], background?: Colord): void {
    const own = nodes.findLast(({ property }) => BACKGROUND.has(property.toLowerCase()));
    const behind = (own && colorNodeIn(own.value)?.color) ?? background;
    for (const node of nodes) if (!this.#isRemoved(node)) this.#darken(node, behind);
  }

  #rule(rule: Rule, isNested: boolean, before: string): void {
    const { differences } = this.context;
    const range = offsetsOf(rule);
    const [afterComment] = differences.ofKind('after-comment');
    if (isNested) this.visitor.features(['css-nesting'], range);
    if (afterComment && before.includes('/*')) this.#remove(range, afterComment);
    else if (isNested && differences.unsupported(['css-nesting'])) this.#cut(range);
    else this.#keptRule(rule);
  }

  #keptRule(rule: Rule): void {
    const selectors = selectorsOf(rule);
    const kept = selectors.filter((selector) => !this.#isSelectorRemoved(selector));
    if (selectors.length > 0 && kept.length === 0) {
      this.#cut(offsetsOf(rule));
      return;
    }
    if (selectors.length > 0 && (kept.length < selectors.length || this.#hasPrefix)) {
      const text = kept.map((selector) => this.#selectorText(selector)).join(', ');
      this.edits.push({ ...offsetsOf(rule.prelude), text });
    }
    const { start } = offsetsOf(rule.block);
    this.rules(rule.block.children.toArray(), 'rule', start + 1);
  }

  /** Returns whether the rest of the style sheet is removed. */
  #atrule(node: Atrule, parent: string): boolean {
    const { differences } = this.context;
    const range = offsetsOf(node);
    const name = node.name.toLowerCase().replace(/^-\w+-/, '');
    const [nested] = differences.ofKind('nested-at-rule');
    if (nested && parent !== 'sheet' && !nested.except.test(name)) {
      this.visitor.removed(nested, range);
      this.blockedBy ??= nested;
    }
    const slugs = atruleFeatures(node, this.css);
    this.visitor.features(slugs, range);
    if (differences.unsupported(slugs)) {
      this.#cut(range);
      return false;
    }
    const query = name === 'media' && node.prelude ? this.#slice(offsetsOf(node.prelude)) : '';
    const rule = differences.ofKind('media').find((each) => each.query.test(query));
    if (rule) {
      this.#remove(rule.removes === 'rest' ? { start: range.start, end: this.css.length } : range, rule);
      return rule.removes === 'rest';
    }
    if (node.block && WITH_RULES.has(name)) {
      this.rules(node.block.children.toArray(), 'at-rule', offsetsOf(node.block).start + 1);
    }
    return false;
  }

  #isSelectorRemoved(selector: Selector): boolean {
    const { differences } = this.context;
    const range = offsetsOf(selector);
    const slugs = [...selectorFeatures(selector)];
    this.visitor.features(slugs, range);
    const rule = differences.ofKind('attribute-selector').find((each) => hasAttribute(selector, each));
    if (rule) this.visitor.removed(rule, range);
    return rule !== undefined || differences.unsupported(slugs) !== undefined;
  }

  get #hasPrefix(): boolean {
    return this.context.differences.ofKind('prefix').length > 0;
  }

  /** Returns a selector with the prefix of its classes and IDs. */
  #selectorText(selector: Selector): string {
    const { start, end } = offsetsOf(selector);
    const [rule] = this.context.differences.ofKind('prefix');
    if (!rule) return this.css.slice(start, end);
    const edits: Edit[] = [];
    let isFirst = true;
    walk(selector, (node) => {
      if (node.type === 'Combinator') isFirst = true;
      if (node.type !== 'ClassSelector' && node.type !== 'IdSelector') return;
      const at = offsetsOf(node).start + 1 - start;
      if (isFirst || !rule.first) edits.push({ start: at, end: at, text: rule.prefix });
      else this.visitor.changed(rule, offsetsOf(selector));
      isFirst = false;
    });
    return applyEdits(this.css.slice(start, end), edits);
  }

  #isRemoved(node: Declaration): boolean {
    const { differences, hasImages } = this.context;
    const range = offsetsOf(node);
    const property = node.property.toLowerCase();
    const value = this.#slice(offsetsOf(node.value));
    const rule = differences
      .ofKind('declaration')
      .find(
        (each) =>
          (each.in === undefined || this.isAttribute) &&
          each.property.test(property) &&
          (each.value === undefined || each.value.test(value)),
      );
    if (rule) {
      this.#remove(this.#withSemicolon(range), rule);
      if (rule.removes === 'block') this.blockedBy ??= rule;
      return true;
    }
    const slugs = declarationFeatures(node);
    this.visitor.features(slugs, range);
    const isBlocked = !hasImages && property.startsWith('background') && /url\(/i.test(value);
    if (differences.unsupported(slugs) !== undefined || isBlocked) {
      this.#cut(this.#withSemicolon(range));
      return true;
    }
    const renamed = differences.ofKind('rename').find((each) => each.property === property);
    if (renamed) {
      this.visitor.changed(renamed, range);
      this.edits.push({ start: range.start, end: range.start + property.length, text: renamed.to });
    }
    return false;
  }

  #darken({ property, value }: Declaration, behind: Colord | undefined): void {
    const { dark } = this.context;
    const name = property.toLowerCase();
    const isBackground = BACKGROUND.has(name);
    if (!dark || (!isBackground && name !== 'color')) return;
    const found = colorNodeIn(value);
    if (!found) return;
    const [white] = this.context.differences.ofKind('white-in-dark');
    if (white && isBackground && found.color.toHex() === WHITE) this.visitor.partial(white, offsetsOf(found.node));
    const changed = isBackground ? dark.background(found.color) : dark.text(found.color, behind);
    if (!changed) return;
    const range = offsetsOf(found.node);
    this.edits.push({ ...range, text: changed.toHex() });
    const note = `${this.#slice(range)} becomes ${changed.toHex()}`;
    this.visitor.darkened(range, note, isBackground ? 'background' : 'text');
  }

  #remove(range: Range, about: About): void {
    this.visitor.removed(about, range);
    this.#cut(range);
  }

  #cut(range: Range): void {
    this.edits.push({ ...range, text: '' });
  }

  #slice({ start, end }: Range): string {
    return this.css.slice(start, end);
  }

  #withSemicolon({ start, end }: Range): Range {
    return { start, end: this.css[end] === ';' ? end + 1 : end };
  }
}

/** Returns whether a selector has an attribute in a form other than the allowed ones. */
function hasAttribute(selector: Selector, { matchers, alone }: AttributeRule): boolean {
  let found = false;
  let hasClass = false;
  walk(selector, (node) => {
    if (node.type === 'Combinator') hasClass = false;
    if (node.type === 'ClassSelector') hasClass = true;
    if (node.type !== 'AttributeSelector') return;
    found ||= !matchers.includes(node.matcher ?? '') || (alone === true && hasClass);
  });
  return found;
}

/** Returns the edits of a style sheet; undefined if the client removes all of it. The range is that of its text. */
export function editStyleSheet(css: string, range: Range, dark: About, context: StyleContext): Edit[] | undefined {
  const { differences } = context;
  const inSource = ({ start, end }: Range) => ({ start: range.start + start, end: range.start + end });
  const [afterBraces] = differences.ofKind('after-braces');
  const braces = afterBraces ? css.indexOf('}}') : -1;
  const end = braces < 0 || css.slice(braces + 2).trim() === '' ? css.length : braces + 2;
  const read = css.slice(0, end);
  const editor = new StyleEditor(
    read,
    context,
    {
      removed: (about, found) => differences.addRemoved(about, inSource(found)),
      changed: (about, found) => differences.add(about, 'changed', inSource(found)),
      partial: (about, found) => differences.add(about, 'partial', inSource(found)),
      features: (slugs, found) => differences.addFeatures(slugs, inSource(found)),
      darkened: (found, note) => differences.add(dark, 'changed', inSource(found), note),
    },
    false,
  );
  editor.rules(parseStyleSheet(read)?.children.toArray() ?? [], 'sheet', 0);
  if (editor.blockedBy) return undefined;
  const edits = editor.edits.map((edit) => ({ ...edit, ...inSource(edit) }));
  if (afterBraces && end < css.length) {
    const rest = inSource({ start: end, end: css.length });
    differences.addRemoved(afterBraces, rest);
    edits.push({ ...rest, text: '' });
  }
  return edits;
}

/** A changed `style` attribute. */
export interface StyleAttribute {
  /** Empty if the client removes the attribute. */
  value: string;
  /** What dark mode changes. */
  darkened: ReadonlySet<Part>;
  /** Adds its differences at the position of an attribute with this value. */
  report(range: Range): void;
}

/** Changes the value of a `style` attribute. `background` is the color behind its text, unless it has one. */
export function editStyle(
  value: string,
  background: Colord | undefined,
  dark: About,
  context: StyleContext,
): StyleAttribute {
  const { differences } = context;
  const reports: ((range: Range) => void)[] = [];
  const darkened = new Set<Part>();
  const editor = new StyleEditor(
    value,
    context,
    {
      removed: (about) => reports.push((range) => differences.addRemoved(about, range)),
      changed: (about) => reports.push((range) => differences.add(about, 'changed', range)),
      partial: (about) => reports.push((range) => differences.add(about, 'partial', range)),
      features: (slugs) => {
        if (slugs.length > 0) reports.push((range) => differences.addFeatures(slugs, range));
      },
      darkened: (_, note, part) => {
        darkened.add(part);
        reports.push((range) => differences.add(dark, 'changed', range, note));
      },
    },
    true,
  );
  editor.declarations(parseStyle(value), background);
  return {
    value: editor.blockedBy ? '' : applyEdits(value, editor.edits).trim(),
    darkened,
    report: (range) => {
      for (const report of reports) report(range);
    },
  };
}

/** Replaces ranges of a text. */

export interface Edit {
  start: number;
  end: number;
  text: string;
}

/**
 * Returns the text with all edits. One that begins within another is left out; at the same position, insertions come first
 * and then the longest one.
 */
export function applyEdits(source: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return source;
  const parts: string[] = [];
  let at = 0;
  const isInsertion = ({ start, end }: Edit) => Number(start === end);
  const inOrder = (a: Edit, b: Edit) => a.start - b.start || isInsertion(b) - isInsertion(a) || b.end - a.end;
  for (const { start, end, text } of [...edits].sort(inOrder)) {
    if (start < at) continue;
    parts.push(source.slice(at, start), text);
    at = end;
  }
  parts.push(source.slice(at));
  return parts.join('');
}
