import type { Language } from '../languages/language.js';
import { type Combined, languages, languagesOf, wordsOf } from '../languages/languages.js';
import { type Span, spansOf } from '../spans.js';

/** Finds the words of a clause that tell codes from other numbers. */

export interface Term extends Span {
  kind: 'code' | 'label';
  /** Whether it names a one-time code only in a message about signing in or confirming something. */
  isWeak: boolean;
}

/** What marks a code of a shop. */
const OFFER =
  /\d ?[%\uff05]|\b(?:off your|discount|promo|coupon|voucher|sale\b|save (?:up|\$|\u20ac|\u00a3|\d)|free shipping|free delivery|at (?:the )?(?:checkout|till|cash desk)|gift card|rabatt|nachlass|gutschein|spar(?:en|st|t|e)?\b|versandkostenfrei|versand (?:ist |bleibt )?(?:frei|gratis|kostenlos)|an der kasse|remise|reduction|promotion|livraison (?:gratuite|offerte)|en caisse|soldes|descuento|rebaja|ahorra|envio gratis|en (?:la )?caja|cupon|desconto|promocao|frete gratis|n[ao] caixa|cupom|sconto|saldi|risparmia|spedizione gratuita|alla cassa|rabat|rabatu|znizk|promocj|darmow|przy kasie|kortin|korting|gratis verzending|aan de kassa|actie)|\u0441\u043a\u0438\u0434\u043a|\u043a\u0443\u043f\u043e\u043d|\u30af\u30fc\u30dd\u30f3|\u5272\u5f15|\u30bb\u30fc\u30eb|\u9001\u6599\u7121\u6599|\u4f18\u60e0|\u6298\u6263|\u6ee1\u51cf|\d ?\u6298/;

/** The terms of a clause, each kind found when it is needed. */
export class Terms {
  #named: readonly Term[] | undefined;
  #hasPurpose: boolean | undefined;
  #hasEnter: boolean | undefined;
  #isOffer: boolean | undefined;

  constructor(private readonly clause: { readonly folded: string }) {}

  /** In the order of their positions. They do not overlap. */
  get named(): readonly Term[] {
    this.#named ??= namesIn(this.clause.folded);
    return this.#named;
  }

  get namesCode(): boolean {
    return mayNameCode(this.clause.folded) && this.named.some(({ kind, isWeak }) => kind === 'code' && !isWeak);
  }

  get hasPurpose(): boolean {
    this.#hasPurpose ??= hasWord(this.clause.folded, 'purpose');
    return this.#hasPurpose;
  }

  get hasEnter(): boolean {
    this.#hasEnter ??= hasWord(this.clause.folded, 'enter');
    return this.#hasEnter;
  }

  /** Whether it asks to enter what can be a code. */
  get asksForSign(): boolean {
    return this.hasEnter && hasWord(this.clause.folded, 'sign');
  }

  /** Whether it is, as a subject, about signing in, confirming something or a password. */
  get isAboutAccess(): boolean {
    return ACCESS.some((kind) => matches(this.clause.folded, kind));
  }

  /** Whether it is about a discount. */
  get isOffer(): boolean {
    this.#isOffer ??= OFFER.test(this.clause.folded);
    return this.#isOffer;
  }
}

const ACCESS = ['verify', 'reset', 'password', 'magic'] as const;

function namesIn(text: string): Term[] {
  const labels = termsIn(text, 'label');
  if (!mayNameCode(text)) return labels;
  const codes = termsIn(text, 'code');
  const weak = codes.length > 0 || labels.length === 0 ? termsIn(text, 'weak') : [];
  const sure = codes.filter((term) => !weak.some((each) => overlaps(each, term)));
  const own = [...sure, ...weak].filter((term) => !labels.some((each) => overlaps(each, term)));
  return [...labels, ...own].sort((a, b) => a.start - b.start);
}

function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

/** Parts of every name of a code, in all languages. */
const CODE_STEMS =
  /[ck]oo?d|otp|pin|tan|pass|token|number|nummer|num[ei]r|cijfer|getal|digit|characters|\bletters|lettres|figures|sequen|caracter|algarismo|chiffre|cifr|zeichen|buchstab|combina|cyfr|znaki|liczb|liter|rakam|sayi|siffr|tal\b|tegn|key|zahl|ziffer|schlussel|kennwort|wachtwoord|cle|clave|contrasena|senha|palavra|palabra|parola|sleutel|jeton|llave|klucz|\u043a\u043b\u044e\u0447|chave|hasl|hesl|sifre|\u043a\u043e\u0434|\u043f\u0430\u0440\u043e\u043b|\u043f\u0438\u043d|\u043d\u043e\u043c\u0435\u0440|\u0447\u0438\u0441\u043b|\u0446\u0438\u0444\u0440|\u0441\u0438\u043c\u0432\u043e\u043b|\u0442\u043e\u043a\u0435\u043d|\u6570\u5b57|\u6587\u5b57|\u82f1\u6570|\uc22b\uc790|\ubb38\uc790|\u5b57\u7b26|\u5b57\u5143|\u30b3\u30fc\u30c9|\u756a\u53f7|\u30ad\u30fc|\u30d1\u30b9|\u30c8\u30fc\u30af\u30f3|[\u7801\u78bc\u53e3]|\ubc88\ud638|\ucf54\ub4dc/;

/** Returns whether a text can name a code. It is faster than looking for the names. */
export function mayNameCode(text: string): boolean {
  return CODE_STEMS.test(text);
}

function termsIn(text: string, name: 'code' | 'label' | 'weak'): Term[] {
  const isWeak = name === 'weak';
  const kind = isWeak ? 'code' : name;
  return spansOf(text, wordsOf(text, name)).map(({ start, end }) => ({ start, end, kind, isWeak }));
}

/** Returns whether a text has words of a kind that are looked for in all languages at once. */
export function hasWord(text: string, kind: Combined): boolean {
  return text.search(wordsOf(text, kind)) >= 0;
}

/** Returns whether a text has words of a kind in any language. */
function matches(text: string, kind: keyof Language): boolean {
  return languagesOf(text).some((language) => text.search(language[kind]) >= 0);
}

/** Returns the number of words of a kind in the language that has most of them. */
export function countOf(text: string, kind: 'booking'): number {
  return Math.max(...languages.map((language) => spansOf(text, language[kind]).length));
}

const NOUN_REACH = 24;

/** Returns whether a text ends with a word that names another number, and separators. */
export function endsWithNoun(text: string): boolean {
  return endsWithWord(text.slice(-NOUN_REACH).replace(/[\s:#.()"'*-]{1,24}$/, ''), 'noun');
}

/** Returns whether a text ends with a word of a kind. */
export function endsWithWord(text: string, kind: Combined): boolean {
  const end = text.slice(-NOUN_REACH);
  return end !== '' && spansOf(end, wordsOf(end, kind)).at(-1)?.end === end.length;
}
