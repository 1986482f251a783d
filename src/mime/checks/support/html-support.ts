import type { HtmlSupport } from '../../../contract/control/emails/check.js';
import type { StyleRules } from '../css/style-rules.js';
import type { HtmlDocument } from '../html/document.js';
import type { Places } from '../places.js';
import table from './client-support.json' with { type: 'json' };
import { addCssFeatures } from './css-features.js';
import { addHtmlFeatures, FeatureUses } from './html-features.js';

/** Compares the HTML and CSS of an email with what mail clients support. */

type Used = HtmlSupport['features'][number];
type ClientSupport = HtmlSupport['clients'][number];

/** A feature in the table. `support` has a letter for each client: y, a (partial), n or u (unknown). */
interface TableFeature {
  slug: string;
  title: string;
  category: string;
  support: string;
  /** Numbers of notes, by the index of the client. */
  notes?: Record<string, number[]>;
  texts?: Record<string, string>;
}

const features = table.features as unknown as readonly TableFeature[];
export const clients = table.clients as unknown as readonly [id: string, name: string][];

/** Elements that show nothing. */
const UNCOUNTED = new Set(['html', 'head', 'meta', 'title']);

export function htmlSupport(document: HtmlDocument, styles: StyleRules, places: Places): HtmlSupport {
  const uses = new FeatureUses(places);
  addHtmlFeatures(document, uses);
  addCssFeatures(document, styles, uses);
  const elements = document.elements.filter(({ name }) => !UNCOUNTED.has(name)).length;
  const used = features.flatMap((feature): Used[] => {
    const found = uses.of(feature.slug);
    return found ? [describe(feature, found.count, found.where)] : [];
  });
  const share = (found: number) => Math.min(1, found / Math.max(1, elements));
  const largest = (level: 'partial' | 'unsupported') =>
    Math.max(0, ...used.map((each) => each[level] * share(each.found)));
  const [partial, unsupported] = [largest('partial'), largest('unsupported')];
  const weight = (each: Used) => (each.partial + each.unsupported) * share(each.found);
  return {
    score: rounded(100 - unsupported - partial / 2),
    partial: rounded(partial),
    unsupported: rounded(unsupported),
    elements,
    features: used.sort((a, b) => weight(b) - weight(a)),
    clients: clients.map((_, index) => clientSupport(index, used)).sort(byScore),
    source: table.source,
    updated: table.updated,
  };
}

export interface FeatureSupport {
  title: string;
  url: string;
  /** How the client supports it: y, a (partially), n, or u if it is unknown. */
  level: string;
  /** Notes in Markdown. */
  notes: string[];
}

/** Returns how one client supports each feature, by the feature's slug. */
export function supportOf(clientId: string): ReadonlyMap<string, FeatureSupport> {
  const index = clients.findIndex(([id]) => id === clientId);
  return new Map(
    features.map((feature) => [
      feature.slug,
      {
        title: feature.title,
        url: urlOf(feature),
        level: feature.support[index] ?? 'u',
        notes: notesOf(feature, index),
      },
    ]),
  );
}

function urlOf({ slug }: TableFeature): string {
  return `${table.source}/features/${slug}/`;
}

function notesOf({ notes, texts }: TableFeature, client: number): string[] {
  return notes?.[client]?.flatMap((number) => texts?.[number] ?? []) ?? [];
}

function describe(feature: TableFeature, found: number, where: Used['where']): Used {
  const letters = [...feature.support];
  const count = (letter: string) => letters.filter((each) => each === letter).length;
  const known = letters.length - count('u');
  const share = (letter: string) => rounded(known === 0 ? 0 : (100 * count(letter)) / known);
  return {
    slug: feature.slug,
    title: feature.title,
    category: feature.category as Used['category'],
    url: urlOf(feature),
    found,
    where,
    supported: share('y'),
    partial: share('a'),
    unsupported: share('n'),
    clients: letters.flatMap((letter, index): Used['clients'] => {
      if (letter !== 'a' && letter !== 'n') return [];
      const notes = notesOf(feature, index);
      return [{ id: idOf(index), support: letter === 'a' ? 'partial' : 'unsupported', notes }];
    }),
  };
}

const bySlug = new Map(features.map((feature) => [feature.slug, feature]));

function clientSupport(index: number, used: readonly Used[]): ClientSupport {
  const letters = used.map(({ slug }) => bySlug.get(slug)?.support[index]);
  const count = (letter: string) => letters.filter((each) => each === letter).length;
  const [supported, partial, unsupported, unknown] = [count('y'), count('a'), count('n'), count('u')];
  const known = letters.length - unknown;
  return { id: idOf(index), name: clients[index]?.[1] ?? '', score: score(), supported, partial, unsupported, unknown };

  function score(): number | null {
    if (letters.length === 0) return 100;
    // A few known results say little about a client.
    return known > unknown ? rounded((100 * (supported + partial / 2)) / known) : null;
  }
}

function byScore(a: ClientSupport, b: ClientSupport): number {
  return (a.score ?? Number.MAX_VALUE) - (b.score ?? Number.MAX_VALUE);
}

function idOf(index: number): string {
  return clients[index]?.[0] ?? '';
}

function rounded(percent: number): number {
  return Math.round(percent * 10) / 10;
}
