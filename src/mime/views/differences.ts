import type { ClientDifference } from '../../contract/control/emails/check.js';
import { Found, type Places, type Range } from '../checks/places.js';
import { type FeatureSupport, supportOf } from '../checks/support/html-support.js';
import type { About, ClientRules, Rule } from './client-rules.js';

/** Collects what a client does differently, by rule, and answers which features it supports. */

/** Positions of one rule that are listed. */
const PLACES_MAX = 5;
/** Features without a visible effect, or whose unsupported values hardly any email uses. */
const UNSEEN = new Set(
  'amp bimi css-comments css-overflow html-body html-comments html-doctype html-lang html-target'.split(' '),
);
/** The start of notes on partial support. */
const PARTIAL = /^(?:Buggy|Partial(?: support)?)[.:]?\s{1,3}/;
/** Notes on accounts of other providers, which the views are not about. */
const OTHER_ACCOUNTS = /non[- ]g(?:oogle|mail) account/i;

type Effect = ClientDifference['effect'];

export class Differences {
  readonly #found = new Map<string, { about: About; effect: Effect; found: Found }>();
  readonly #support: ReadonlyMap<string, FeatureSupport>;
  readonly #described: ReadonlySet<string>;

  constructor(
    private readonly places: Places,
    private readonly rules: ClientRules,
    /** Whether the client ignores what it does not support, and keeps it in the HTML. */
    private readonly isIgnoring: boolean,
  ) {
    this.#support = supportOf(rules.support);
    this.#described = new Set(rules.described);
  }

  /** Returns the rules of one kind. */
  ofKind<Kind extends Rule['kind']>(kind: Kind): Extract<Rule, { kind: Kind }>[] {
    return this.rules.rules.filter((rule): rule is Extract<Rule, { kind: Kind }> => rule.kind === kind);
  }

  add(about: About, effect: Effect, range: Range, note?: string): void {
    let entry = this.#found.get(about.id);
    if (!entry) {
      entry = { about, effect, found: new Found(PLACES_MAX) };
      this.#found.set(about.id, entry);
    }
    entry.found.add(() => this.places.of(range, note));
  }

  /** Adds something that the client removes, or only ignores. */
  addRemoved(about: About, range: Range): void {
    this.add(about, this.isIgnoring ? 'ignored' : 'removed', range);
  }

  /** Returns the first of the features that the client does not support. */
  unsupported(slugs: readonly string[]): string | undefined {
    return slugs.find((slug) => this.#levelOf(slug) === 'n');
  }

  /** Adds what the client does not support, or supports in part. */
  addFeatures(slugs: readonly string[], range: Range): void {
    for (const slug of new Set(slugs)) {
      const level = this.#levelOf(slug);
      const feature = this.#support.get(slug);
      if (!feature || (level !== 'n' && level !== 'a')) continue;
      const { title, url, notes } = feature;
      const about = (text: string) => ({ id: slug, text, source: url });
      if (level === 'n') this.addRemoved(about(`${title} is not supported.`), range);
      else {
        const shown = notes.filter((note) => !OTHER_ACCOUNTS.test(note));
        if (shown.length < notes.length && shown.length === 0) continue;
        const details = shown.map((note) => note.replace(PARTIAL, '')).join(' ');
        this.add(about(`${title} is supported in part. ${details}`.trim()), 'partial', range);
      }
    }
  }

  /** Returns all differences, those that the view does not show last. */
  list(): ClientDifference[] {
    const all = [...this.#found.values()].map(({ about, effect, found }) => ({
      rule: about.id,
      effect,
      text: about.text,
      source: about.source,
      count: found.count,
      where: found.where,
    }));
    return [...all.filter(({ effect }) => effect !== 'partial'), ...all.filter(({ effect }) => effect === 'partial')];
  }

  #levelOf(slug: string): string | undefined {
    return UNSEEN.has(slug) || this.#described.has(slug) ? undefined : this.#support.get(slug)?.level;
  }
}
