import type { LinkKind } from '../../../contract/vocabulary/emails.js';
import { folded } from '../fold.js';
import { wordsIn } from '../words.js';

/** Decides why a link is in an email: by its text, else by its URL, else by the sentence around it. */

type NamedKind = Exclude<LinkKind, 'other'>;

/** What is known about a link. */
export interface LinkUse {
  href: string;
  /** The text of the link; empty for a URL in plain text. */
  text: string;
  /** The line with the link. */
  line: string;
  /** Returns the lines before it, and the subject. */
  before(): string;
}

/** In the order in which they are looked for: a sentence about a password may also ask to confirm or to sign in. */
const ORDER: readonly NamedKind[] = ['unsubscribe', 'reset', 'invite', 'verify', 'magic'];

const TEXT_MAX = 300;
const CONTEXT_MAX = 400;

export function kindOf({ href, text, line, before: linesBefore }: LinkUse, known: Known): LinkKind {
  const url = urlOf(href, known);
  const label = folded(text.slice(0, TEXT_MAX)).trim();
  const isUrl = label === '' || URL_TEXT.test(label);
  const isGeneric = isUrl || GENERIC.test(label);
  if (!isGeneric) {
    if (REFUSAL.test(label)) return 'other';
    const named = byText(label, known.kinds);
    // Every website has a page to sign in; a link that does it contains a secret.
    if (named === 'magic')
      return url.hasSecret || url.kind === 'magic' || MAGIC.test(label) ? betterOf(url.kind, 'magic') : 'other';
    if (named === 'verify' && OTHER_CONFIRMATION.test(label)) return 'other';
    if (named) return named;
    if (url.kind === 'unsubscribe') return 'unsubscribe';
    return url.kind && (url.hasSecret || url.isExplicit) && !INFORMATION.test(label) ? url.kind : 'other';
  }
  const before = linesBefore().slice(-CONTEXT_MAX);
  const around = folded(`${before} ${line.slice(0, CONTEXT_MAX).replace(text, '')}`);
  if (url.kind === 'verify' && OTHER_CONFIRMATION.test(around)) return 'other';
  const own = folded(line.slice(0, CONTEXT_MAX).replace(text, ''));
  if (url.kind !== 'unsubscribe' && !url.hasToken && (url.isHome || DENIAL.test(own))) return 'other';
  const needsSecret = url.kind === 'magic' || url.kind === 'verify';
  if (url.kind && (!needsSecret || url.hasSecret)) return url.kind;
  return byContext(own, folded(before), url, known.kinds);
}

/** A page to sign in may be the last step of another kind. */
function betterOf(urlKind: NamedKind | undefined, kind: NamedKind): NamedKind {
  return urlKind === 'invite' || urlKind === 'reset' ? urlKind : kind;
}

/** Texts of one message whose kinds are looked up; links with further texts are of the kind `other`. */
const TEXTS_MAX = 1_000;

/** The kinds that texts of one message name. */
type KnownKinds = Map<string, NamedKind | undefined>;

/** What was found for one message, whose links often have the same URL, text or context. */
export class Known {
  readonly kinds: KnownKinds = new Map();
  readonly urls = new Map<string, ReadUrl>();
}

function byText(text: string, known: KnownKinds): NamedKind | undefined {
  if (known.has(text) || known.size === TEXTS_MAX) return known.get(text);
  const kinds = kindsIn(text);
  const kind = ORDER.find((each) => kinds.has(each === 'magic' ? 'login' : each));
  known.set(text, kind);
  return kind;
}

/** Characters between a password and what is to be done with it. */
const NEAR = 30;

function kindsIn(text: string): Set<string> {
  const words = wordsIn(text);
  const kinds = new Set<string>(words.map(({ kind }) => kind));
  const changes = words.filter(({ kind }) => kind === 'change');
  const passwords = words.filter(({ kind }) => kind === 'password');
  if (passwords.some((each) => changes.some(({ start, end }) => start - each.end <= NEAR && each.start - end <= NEAR)))
    kinds.add('reset');
  return kinds;
}

function byContext(line: string, before: string, url: ReadUrl, known: KnownKinds): LinkKind {
  const { hasSecret, hasToken, isInformation } = url;
  if (DENIAL.test(line)) return 'other';
  const here = byText(line, known);
  if (here === 'unsubscribe') return here;
  if (isInformation && !hasToken) return 'other';
  if (here === 'invite' && RECOMMENDATION.test(line)) return 'other';
  if (here && !OTHER_CONFIRMATION.test(line) && (hasToken || here !== 'magic')) return here;
  if (!hasSecret) return 'other';
  const above = byText(before, known);
  if (above === 'magic' && !hasToken) return 'other';
  return above === undefined || above === 'unsubscribe' || OTHER_CONFIRMATION.test(before) ? 'other' : above;
}

/** The text of a link that shows a URL, with or without its scheme. */
const URL_TEXT = /^(?:[a-z][a-z\d+.-]*:\/\/|www\.)|^[a-z\d-]{1,60}(?:\.[a-z\d-]{1,60}){1,5}(?:\/\S{0,300})?$/;
const MAGIC = /magic|magisch|magique|magico|magiczn|\u30de\u30b8\u30c3\u30af|one-click|\u4e00\u952e/;
/** Texts that say nothing about the link. */
const GENERIC =
  /^(?:(?:open|launch|go to|take me to|continue to|start using|access) .{1,40}|(?:please )?(?:click|tap|press)?\s?(?:on )?(?:here|this link|the link|link|the button|below)|click|continue|next|go|open|proceed|get started|start|let'?s go|yes|(?:hier|diesen link|hier klicken|klicken sie hier|klick hier|weiter|fortfahren|jetzt starten|los geht'?s|ja)|(?:cliquez )?(?:ici|sur ce lien|ce lien)|continuer|suivant|commencer|oui|(?:haz |haga |pulsa |pulse )?(?:clic )?(?:aqui|este enlace|en este enlace)|continuar|comenzar|empezar|clique aqui|(?:neste|este) link|(?:clicca )?(?:qui|questo link)|continua|inizia|procedi|(?:kliknij )?(?:tutaj|ten link|tu|w ten link)|kontynuuj|dalej|rozpocznij|klik hier|deze link|doorgaan|verder|\u0437\u0434\u0435\u0441\u044c|\u043f\u043e \u0441\u0441\u044b\u043b\u043a\u0435|\u043f\u0440\u043e\u0434\u043e\u043b\u0436\u0438\u0442\u044c|\u3053\u3061\u3089|\u3053\u3061\u3089\u3092\u30af\u30ea\u30c3\u30af|\u7d9a\u884c|\u7d9a\u3051\u308b|\u6b21\u3078|\u70b9\u51fb(?:\u8fd9\u91cc|\u6b64\u5904|\u94fe\u63a5)|\u7ee7\u7eed|\u6b64\u94fe\u63a5|\u9ede\u64ca\u9019\u88e1|\u7e7c\u7e8c)[.!:>\u00bb\u2192 ]{0,3}$/;
/** What else can be confirmed or activated. */
const OTHER_CONFIRMATION =
  /\b(?:appointment|order|booking|reservation|attendance|delivery|payment|rsvp|availability|receipt|purchase|visit|interview|meeting|slot|offer|discount|coupon|voucher|termin|bestellung|buchung|lieferung|teilnahme|zahlung|gutschein|rendez-vous(?! sur)|commande|livraison|presence|paiement|cita|pedido|entrega|asistencia|pago|consulta|presenca|pagamento|appuntamento|ordine|consegna|partecipazione|wizyt\w{1,3}|zamowieni\w{1,3}|dostaw\w{1,3}|platnosc\w{0,2}|obecnosc|afspraak|betaling|levering)\b|\u4e88\u7d04|\u6ce8\u6587|\u914d\u9001|\u8ba2\u5355|\u9884\u7ea6|\u0437\u0430\u043a\u0430\u0437|\u0431\u0440\u043e\u043d/;
/** Links for someone who did not ask for the message. */
const DENIAL =
  /\b(?:to deny|if not|sinon|andernfalls|de lo contrario|caso contrario|zo niet|jesli nie|not you|wasn'?t you|was not you|(?:don'?t|do not) recogni[sz]e|to report|to block|ce n'(?:etait|est) pas vous|no (?:has sido|fuiste|fue|ha sido) (?:tu|usted)|no reconoce\w?|nao (?:foi voce|reconhece)|non (?:sei|e) stat[oa] (?:tu|lei)|non riconosci|(?:warst du|waren sie) (?:das|es) nicht|(?:nicht du|nicht sie) (?:warst|waren)|was (?:jij|u) (?:het|dit) niet|niet door (?:jou|u)|to nie (?:ty|pan))\b|не вы\b|это были не|本人でない|心当たりがない|不是(?:您|你)?本人|非(?:您|你)?本人/;
/** Texts of links that say no. */
const REFUSAL =
  /^(?:no,|no\b.{0,20}\bnot me|i'?m not|i\u2019m not|not me|(?:this|it) (?:wasn|isn)['\u2019]?t|i didn['\u2019]?t|deny|decline|reject|report|das war ich nicht|ich war das nicht|ce n'est pas moi|ce n'etait pas moi|no (?:he sido|fui) yo|non sono stat[oa] io|nao fui eu|dit was ik niet|to nie ja)\b/;
/** Links to pass on to others. */
const RECOMMENDATION = /\b(?:share|refer|friends|freunde|amis|amigos|amici|vrienden|znajomym)\b/;
/** Pages about a subject, which do nothing. */
const INFORMATION =
  /\b(?:help|support|faq|learn|read|how|why|privacy|terms|policy|blog|view|more|hilfe|aide|ayuda|ajuda|aiuto|pomoc|contact|kontakt|track|shop)\b/;

interface ReadUrl {
  kind: NamedKind | undefined;
  /** Whether the kind is in the path by its full name, such as `unsubscribe` or `reset-password`. */
  isExplicit: boolean;
  /** Whether it is the home page of a site. */
  isHome: boolean;
  /** Whether it is a page of help. */
  isInformation: boolean;
  /** Whether it has a part that cannot be guessed. */
  hasSecret: boolean;
  /** Whether that part is more than a number. */
  hasToken: boolean;
}

const URL_WORDS: readonly (readonly [NamedKind, RegExp])[] = [
  [
    'unsubscribe',
    /unsub|opt-?out|list-?remove|abmeld|abbestell|austrag|desabonn|desinscri|desinscr|baja|cancelar-(?:suscripcion|inscricao)|descadastr|disiscri|wypisz|uitschrijv|afmeld|otpis|\b(?:e?mails?|newsletters?|notif\w*)[ /](?:stop|off)\b/,
  ],
  [
    'reset',
    /reset|recover|\brestore\b|forgot|passw|passwort|kennwort|mot-?de-?passe|contrasena|senha|palavra-passe|haslo|wachtwoord|new-pin/,
  ],
  ['magic', /magic|passwordless|one-?time-?l|otl\b|einmal-?link/],
  ['invite', /invit|einlad|convite|convid|uitnodig|zapros|\bjoin\b|accept-/],
  [
    'verify',
    /verif|confirm|activat|valid(?:ate|er|ar)|double-?opt|opt-?in\b|bestaetig|bestatig|aktivier|activ(?:er|ar|a|e)\b|conferm|potwierd|aktywuj|bevestig|signup|sign-up|ninsho|kakunin/,
  ],
  ['magic', /\bsign-?in|\blog-?in|\bauth\b|\bsso\b|anmeld|connexion|logowanie|inloggen|accedi|acceder|entrar|\blogin/],
];
const EXPLICIT = /unsub|opt-?out|reset|password|verif|confirm|activat|invit|magic/;
const HELP = /\b(?:help|support|hilfe|aide|ayuda|ajuda|aiuto|hc|faq)\b/;
/** Characters of a URL that are read. */
const READ_MAX = 2_000;

/** The scheme of an app, whose links have a path where others have a host. */
const APP = /^(?!https?:)[a-z][a-z\d+.-]*:\/\//i;

function urlOf(href: string, { urls }: Known): ReadUrl {
  let url = urls.get(href);
  if (!url) {
    url = readUrl(href.replace(APP, 'https://app.invalid/'));
    urls.set(href, url);
  }
  return url;
}

function readUrl(href: string): ReadUrl {
  const none = {
    kind: undefined,
    isExplicit: false,
    isHome: false,
    isInformation: false,
    hasSecret: false,
    hasToken: false,
  };
  // A cut URL can be invalid: its host may be behind the characters that are read.
  const read = href.slice(0, READ_MAX);
  if (!URL.canParse(read)) return none;
  const url = new URL(read);
  const parameters = [...url.searchParams].filter(
    ([name, value]) => !/^utm_/i.test(name) && !/:\/\/|%2f|^\//i.test(value),
  );
  const short = parameters
    .filter(([, value]) => value !== 'false')
    .map(([name, value]) => `${name} ${value.length <= 24 ? value : ''}`);
  const host = url.hostname.split('.').slice(0, -2).join(' ');
  const words = folded(decoded(`${host} ${url.pathname} ${short.join(' ')} ${url.hash.slice(0, 60)}`));
  const kind = URL_WORDS.find(([, expression]) => expression.test(words))?.[0];
  const parts = [...url.pathname.split('/'), ...parameters.map(([, value]) => value), url.hash.slice(1)];
  const secrets = parts.filter(isSecret);
  const hasToken = secrets.some((part) => /\D/.test(part));
  return {
    kind,
    isExplicit: EXPLICIT.test(words),
    isHome: url.pathname === '/' && url.search === '' && url.hash === '',
    isInformation: HELP.test(words),
    hasSecret: secrets.length > 0,
    hasToken,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns whether a part of a URL looks random: long, with digits between letters or in both cases. */
function isSecret(part: string): boolean {
  if (/^\d{4,10}$/.test(part)) return true;
  if (!/^[\w.~=%+-]{6,}$/.test(part)) return false;
  const isMixed = /\d/.test(part) && /[a-z]/i.test(part);
  return part.length >= 20
    ? isMixed || !(part.includes('-') || isCamelCase(part))
    : isMixed && !/^[a-z]+-?\d{1,4}$/i.test(part);
}

/** Returns whether a part consists of words that begin with capital letters. */
function isCamelCase(part: string): boolean {
  const capitals = part.replace(/[^A-Z]/g, '').length;
  return /^[a-z]+$/i.test(part) && capitals > 1 && capitals * 4 <= part.length;
}
