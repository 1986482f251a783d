import type { Clause } from '../clauses.js';
import type { Language } from '../languages/language.js';
import { languages } from '../languages/languages.js';

/** Finds the words of a clause that tell codes from other numbers. */

export interface Term {
  kind: 'code' | 'label';
  start: number;
  end: number;
}

export interface Terms {
  /** In the order of their positions. They do not overlap. */
  named: readonly Term[];
  hasPurpose: boolean;
  hasEnter: boolean;
  isOffer: boolean;
}

/** What marks a code of a shop. */
const OFFER =
  /\d ?[%\uff05]|\b(?:off your|discount|promo|coupon|voucher|sale\b|save (?:up|\$|\u20ac|\u00a3|\d)|free shipping|free delivery|at checkout|gift card|rabatt|nachlass|gutschein|spar(?:en|st|t|e)?\b|versandkostenfrei|remise|reduction|promotion|livraison (?:gratuite|offerte)|soldes|descuento|rebaja|ahorra|envio gratis|cupon|desconto|promocao|frete gratis|cupom|sconto|saldi|risparmia|spedizione gratuita|rabat|rabatu|znizk|promocj|darmow|kortin|korting|gratis verzending|actie)|\u0441\u043a\u0438\u0434\u043a|\u043a\u0443\u043f\u043e\u043d|\u30af\u30fc\u30dd\u30f3|\u5272\u5f15|\u30bb\u30fc\u30eb|\u9001\u6599\u7121\u6599|\u4f18\u60e0|\u6298\u6263|\u6ee1\u51cf|\d ?\u6298/;

const cache = new WeakMap<Clause, Terms>();

export function termsOf(clause: Clause): Terms {
  let terms = cache.get(clause);
  if (!terms) {
    terms = findTerms(clause.folded);
    cache.set(clause, terms);
  }
  return terms;
}

function findTerms(text: string): Terms {
  const labels = spansOf(text, 'label');
  const codes = spansOf(text, 'code').filter(
    ({ start, end }) => !labels.some((each) => each.start < end && start < each.end),
  );
  return {
    named: [...labels, ...codes].sort((a, b) => a.start - b.start),
    hasPurpose: matches(text, 'purpose'),
    hasEnter: matches(text, 'enter'),
    isOffer: OFFER.test(text),
  };
}

function spansOf(text: string, kind: Term['kind']): Term[] {
  return languages.flatMap((language) =>
    Array.from(text.matchAll(language[kind]), ({ index, 0: found }) => ({
      kind,
      start: index,
      end: index + found.length,
    })),
  );
}

/** Returns whether a text has words of a kind in any language. */
export function matches(text: string, kind: keyof Language): boolean {
  return languages.some((language) => text.search(language[kind]) >= 0);
}

const NOUN_REACH = 24;

/** Returns whether a text ends with a word that names another number, and separators. */
export function endsWithNoun(text: string): boolean {
  const end = text.slice(-NOUN_REACH).replace(/[\s:#.()"'*-]{1,24}$/, '');
  if (end === '') return false;
  return languages.some(({ noun }) => {
    for (const { index, 0: found } of end.matchAll(noun)) if (index + found.length === end.length) return true;
    return false;
  });
}
