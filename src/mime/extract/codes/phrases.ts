import { wordsOf } from '../languages/languages.js';
import { spansOf } from '../spans.js';
import { endsWithNoun, endsWithWord } from './terms.js';

/** Recognizes the words directly before and after a number. */

/** Ends a text that introduces a code: a colon, a verb, or nothing but marks. */
export const INTRODUCED =
  /^[\s"'\u201c\u201d\u201e\u00ab\u00bb()[\]\u3010\u3011\u300c\u300d:\uff1a=>*_.|,-]{0,12}$|[:\uff1a]\s?["'\u201c\u201d\u201e\u00ab\u300c\u3010(*\s]{0,4}$|(?:\b(?:is|are|be|reads|ist|lautet|war|est|es|e|son|sono|sao|sera|to|brzmi|jest|as|als|luidt|wordt|ei|ar|er|on|now)(?: (?:the|die|der|das|le|la|el|il|lo|o|het|de|simply|just|einfach))?|\u306f|\u304c|\u3092|\ub294|\uc740|\u662f|\u4e3a|\u70ba|-|=|\u2192)\s?["'\u201c\u201d\u201e\u00ab\u300c\u3010(*:\s]{0,4}$/;
/** Begins a text that calls the number before it a code. */
export const CALLED =
  /^["'\u201d\u00bb)*\]\u300d\u3011]{0,3}(?: (?:is|are|ist|lautet|est|es|e|to|jest|als|as|como|come|comme|jako|som|sera|\u044d\u0442\u043e|\u044f\u0432\u043b\u044f\u0435\u0442\u0441\u044f)\b| ?[-:|] | ?(?:\u306f|\u304c|\u662f|\u4e3a|\u70ba|\u044d\u0442\u043e|\u044f\u0432\u043b\u044f\u0435\u0442\u0441\u044f)|,? ?\(| (?:[a-z]{3,16} )?(?:kodu|sifre))/;
/** Words that can follow a code; another one is what a number counts. */
const FUNCTION_WORDS = new Set(
  (
    'is to as in into on onto for at when where wherever within and or if expire expires will there here below ' +
    'above once before after again now then only by from with this that it its which so but do does never not ' +
    'no please you we he she they your our the a an are was has can may must should works stays lasts valid ' +
    'end ends via using unless because while until till inside instead just also followed back plus gefolgt suivi seguido seguito gevolgd ist um als zum zur fur ein eine ' +
    'einen einer bei beim und oder auf lauft wo dort hier unten oben jetzt nun dann damit wenn sobald bevor ' +
    'nachdem nur bis von vom mit im am an den dem das die der dein deine deinen ihr ihre ihren es du sie wir ' +
    'er gilt verfallt wird nicht innerhalb dazu bitte eingeben einmal est pour dans sur sous comme et ou au ' +
    'aux a la le les votre vos ce cet cette qui que lorsque quand avant apres puis maintenant ici sera expire ' +
    'avec chez sans ne vous nous il en afin lors depuis valable para como al y o por cuando donde antes ' +
    'despues ahora aqui abajo el los las tu su un una si con sin desde hasta se lo vence caduca expira sirve ' +
    'ya solo em na ao aos quando onde depois agora abaixo os seu sua uma com sem pelo pela nao vale e ate ' +
    'dentro per come nella nel nello nell ed alla allo sul sulla sull dove prima dopo ora adesso sotto gli ' +
    'tuo tua che entro non scade om op voor bij waar wanneer daar nu dan voordat nadat de het een je uw jouw ' +
    'dit dat wordt verloopt met tot binnen niet zodra aan aby jako w i zeby gdy kiedy gdzie tam teraz przed ' +
    'po ten ta twoj ktory jest traci wygasa przy z ze oraz nie jesli podczas kurierowi att pa och eller nar ' +
    'som innan efter har det din gar galler og ile ve bu icin kodunu kodu kodunuzu kodunuz numarasini olarak ' +
    'gecerlidir together along zusammen junto juntamente insieme samen wraz razem вместе ' +
    'для чтобы на в во как и или при там здесь где когда если до по с не он это действует действителен курьеру никому' +
    ' 입니다 을 를 로 zien over door op ein an vor when whenever out back up aloud se si sur lets gets opens unlocks confirms proves ouvre abre apre opent otwiera offnet permet confirma bestatigt aus celui suivre suivez vers alle'
  ).split(' '),
);
/** The start of a text in a language without spaces that can follow a code. */
const FUNCTION_START =
  /^(?:[\u586b\u8f93\u8f38\u8d34\u8cbc\u8fdb\u53d1\u7ed9]|\u5230|\u524d\u5f80|\u5728|\u53bb|\u53ef|\u7ee7\u7eed|\u7e7c\u7e8c|\u5373\u53ef|\u5b8c\u6210|\u767b\u5f55|\u767b\u9304|\u767b\u5165|\u8fdb\u884c|\u9032\u884c|\u91cd\u7f6e|\u91cd\u8bbe|\u91cd\u8a2d|\u9a8c\u8bc1|\u9a57\u8b49|\u4ee5|\u6765|\u4f86|[\u3092\u3067\u306f\u304c\u3068\u306b])/;
/** Characters between a code and the sentence that it is part of. */
export const NEAR = 24;

/** Returns whether the text asks to enter what is between two positions. */
export function isEntered(text: string, start: number, end: number): boolean {
  const left = text.slice(Math.max(0, start - ENTER_LEFT), start);
  const right = text.slice(end, end + NEAR);
  const enter = wordsOf(text, 'enter');
  const last = spansOf(left, enter).at(-1);
  if (last && SEPARATED.test(right)) return true;
  if (last && (left.length - last.end <= ENTER_BEFORE || FOLLOWING.test(left.slice(last.end)))) return true;
  const at = right.search(enter);
  return at >= 0 && at <= ENTER_AFTER;
}

/** Returns whether a verb that asks to enter something is on both sides of a number with an article: "gib die 4417 ein". */
export function isSeparated(text: string, start: number, end: number): boolean {
  return ARTICLE.test(text.slice(0, start).trimEnd()) && SEPARATED.test(text.slice(end)) && isEntered(text, start, end);
}

/** Characters between a request to enter something and the code, before and after it. */
const ENTER_BEFORE = 12;
const ENTER_AFTER = 6;
const ENTER_LEFT = 40;
/** The second part of a German verb, behind what is to be entered: "gib in der App 482913 ein". */
const SEPARATED = /^ ein(?: (?:um|und|damit)(?!\p{L})|[.,!;]|$)/u;
/** What asks for the number after a colon. */
const FOLLOWING = /^\D{0,36}[:\uff1a]\s?$/;

export function isQuantity(text: string, end: number): boolean {
  const next = /^[ -]([\p{L}]+)/u.exec(text.slice(end, end + NEAR))?.[1];
  return next !== undefined && !FUNCTION_WORDS.has(next) && !FUNCTION_START.test(next);
}

/** A short text in front of a code that stands for its name in the sentence before. */
const PRONOUN =
  /^\W{0,4}(?:(?:and|so|please|now|und|et|y|e|en|i|a) )?(?:yours|it|here|this|that|das|er|sie|es|hier|deiner|ihrer|c'est|le voici|voici|la voici|aqui|este|esta|ecco(?:lo|la)?|questo|hij|dit|oto|to|вот|это|これ|こちら|here you go)(?:[ ':,-]|は|が)[^\d]{0,20}$/;

/** Returns whether a text in front of a code refers to what an earlier sentence names. */
export function isReference(before: string): boolean {
  return before.length <= NEAR && PRONOUN.test(before);
}

/** Returns whether a text ends with a request to enter something. */
export function endsWithRequest(before: string): boolean {
  const end = before.slice(-NEAR).trimEnd();
  return spansOf(end, wordsOf(end, 'enter')).at(-1)?.end === end.length;
}

/** A place or a person between a request and a code, as in "tell the driver 4471". */
const HANDED =
  /^ (?:the|your|our|at|on|in|into|to|an|am|auf|im|dem|der|den|aan|op|sur|dans|au|a|al|en|nel|sul|alla|na|ao|no|w|do|aan|de|het|la|le|les|el|allo|gli|um|uma|the|в|на) (?:\p{L}{2,16} ?){1,4}$/u;

function isHanded(before: string): boolean {
  const last = spansOf(before, wordsOf(before, 'enter')).at(-1);
  return last !== undefined && HANDED.test(before.slice(last.end));
}

/** An article, which can be in front of any number. */
const ARTICLE = /(?<!\p{L})(?:the|die|der|das|den|dem|le|la|les|el|los|il|lo|o|os|a|as|de|het|du|nr|no)$/u;

/** Returns whether the last word of a text can be directly in front of a code and is not the name of another number. */
export function isLed(before: string, asksFor: boolean): boolean {
  if (ARTICLE.test(before)) return asksFor;
  if (endsWithWord(before, 'lead') || endsWithWord(before, 'enter')) return true;
  if (endsWithWord(before, 'sign')) return asksFor || !endsWithNoun(before);
  return asksFor && !endsWithNoun(before) && isHanded(before);
}
