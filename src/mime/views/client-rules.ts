import type { ClientViewId } from '../../contract/vocabulary/client-views.js';
import { GMAIL_HTML_BYTES } from '../../contract/vocabulary/limits.js';

/**
 * What mail clients do to HTML, beyond the features that caniemail.com lists as unsupported. A rule names what it applies
 * to and its source. `client-view.ts` applies rules of every kind, so a client is a row of this table.
 */

export interface About {
  /** Name of the rule in reports. */
  id: string;
  /** What the client does, as a sentence. */
  text: string;
  /** Public page that documents it. */
  source: string;
}

export type Rule = About &
  (
    | { kind: 'element'; names: readonly string[]; withContent: boolean }
    /** A declaration is removed; with `block`, the whole `style` attribute or `<style>` element. `in`: not everywhere. */
    | { kind: 'declaration'; property: RegExp; value?: RegExp; removes?: 'declaration' | 'block'; in?: 'attribute' }
    /** A declaration gets another property. */
    | { kind: 'rename'; property: string; to: string }
    /** An at-rule is removed; with `rest`, all that follows it too. */
    | { kind: 'media'; query: RegExp; removes?: 'at-rule' | 'rest' }
    /** Attribute selectors other than these are removed; with `alone`, also those next to a class. Empty: `[name]`. */
    | { kind: 'attribute-selector'; matchers: readonly string[]; alone?: boolean }
    /** A `<style>` element with a nested at-rule is removed. */
    | { kind: 'nested-at-rule'; except: RegExp }
    /** `<style>` elements beyond this sum of characters are removed. */
    | { kind: 'style-size'; characters: number }
    /** `<style>` elements outside of a `<head>` are removed. */
    | { kind: 'style-place' }
    /** The rule after a comment in a style sheet is ignored. */
    | { kind: 'after-comment' }
    /** What follows two closing braces in a style sheet is removed. */
    | { kind: 'after-braces' }
    /** Classes and IDs get a prefix; in a compound selector, only the first of them if `first` is set. */
    | { kind: 'prefix'; prefix: string; first: boolean }
    /** HTML beyond this number of bytes is cut. */
    | { kind: 'clip'; bytes: number }
    /** The content of comments such as `<!--[if mso]>` is read. */
    | { kind: 'conditional-comments' }
    /** A white background that dark mode may not keep; the view does. */
    | { kind: 'white-in-dark' }
  );

/** What a client does to colors in its dark mode. */
export interface DarkMode {
  /**
   * `none`: the email stays light; `media`: styles for dark mode apply, and colors stay; `partial`: light backgrounds
   * become dark, and text is adapted; `full`: the lightness of every color is inverted.
   */
  kind: 'none' | 'media' | 'partial' | 'full';
  /** The background of an email without one. */
  base: string;
  text: string;
  source: string;
}

export interface ClientRules {
  /** The client in the data of caniemail.com. */
  support: string;
  dark: DarkMode;
  /** Characters of the list of emails: the sources are tests of other people, with fonts of different widths. */
  subject: { characters: number; source: string };
  preview: { characters: number | null; source: string };
  /** Features of caniemail.com that a rule describes instead. */
  described: readonly string[];
  rules: readonly Rule[];
}

const BUGS = 'https://github.com/hteumeuleu/email-bugs/issues';
const CANIEMAIL = 'https://www.caniemail.com/features';
const SUBJECTS = 'https://typecount.com/blog/email-subject-line-length';
const PREVIEWS = 'https://wordcounternow.com/blog/email-marketing-character-limits.html';
/** A test on an iPhone. */
const IPHONE = 'https://www.emailtooltester.com/en/blog/email-subject-lines-character-limit/';
const DARK_GUIDE = 'https://www.litmus.com/blog/the-ultimate-guide-to-dark-mode-for-email-marketers';

const NEGATIVE = /(?:^|[\s,])-\d/;
/** A list of numbers without commas in rgb() or rgba(). */
const SPACED_RGB = /\brgba?\(\s*\d[^,()]{0,40}\)/i;
const MARGIN = /^margin(?:-(?:top|right|bottom|left))?$/;

const negativeMargin: Rule = {
  kind: 'declaration',
  id: 'negative-margin',
  text: 'Negative margins are removed.',
  source: `${CANIEMAIL}/css-margin/`,
  property: MARGIN,
  value: NEGATIVE,
};

const active: Rule = {
  kind: 'element',
  id: 'active-content',
  text: 'Scripts and embedded pages are removed.',
  source: 'https://support.google.com/mail/answer/6590',
  names: ['script', 'iframe', 'embed', 'applet', 'frameset'],
  withContent: true,
};

const gmailRules: readonly Rule[] = [
  active,
  {
    kind: 'clip',
    id: 'clipped',
    text: 'HTML beyond 102 KiB is cut, and a link to the whole message follows.',
    source: `${BUGS}/41`,
    bytes: GMAIL_HTML_BYTES,
  },
  {
    kind: 'style-size',
    id: 'style-size',
    text: 'Style sheets beyond 16,384 characters in total are removed.',
    source: `${BUGS}/90`,
    characters: 16_384,
  },
  {
    kind: 'style-place',
    id: 'style-place',
    text: 'Style sheets outside of <head> are removed.',
    source: `${CANIEMAIL}/html-style/`,
  },
  {
    kind: 'nested-at-rule',
    id: 'nested-at-rule',
    text: 'A style sheet with an at-rule in another one is removed. Media queries may be nested.',
    source: `${BUGS}/21`,
    except: /^media$/,
  },
  {
    kind: 'declaration',
    id: 'rgb-with-spaces',
    text: 'A color such as rgb(0 128 0) removes the whole style attribute or style sheet.',
    source: `${CANIEMAIL}/css-rgb/`,
    property: /./,
    value: SPACED_RGB,
    removes: 'block',
  },
  {
    kind: 'media',
    id: 'media-height',
    text: 'Media queries for heights are removed.',
    source: `${CANIEMAIL}/css-at-media/`,
    query: /\bheight\b/i,
  },
  {
    kind: 'attribute-selector',
    id: 'attribute-selector',
    text: 'Attribute selectors other than [name~=value] are removed.',
    source: `${CANIEMAIL}/css-selector-attribute/`,
    matchers: ['~='],
  },
  negativeMargin,
  {
    kind: 'declaration',
    id: 'negative-indent',
    text: 'Negative values of text-indent are removed.',
    source: `${CANIEMAIL}/css-text-indent/`,
    property: /^text-indent$/,
    value: NEGATIVE,
  },
  {
    kind: 'declaration',
    id: 'list-style-image',
    text: 'A list-style with an image is removed.',
    source: `${CANIEMAIL}/css-list-style/`,
    property: /^list-style$/,
    value: /url\(/i,
  },
  {
    kind: 'element',
    id: 'semantic-elements',
    text: 'The tags of <details>, <main>, <nav> and <summary> are replaced, and their content stays.',
    source: `${CANIEMAIL}/html-semantics/`,
    names: ['details', 'main', 'nav', 'summary'],
    withContent: false,
  },
  {
    kind: 'prefix',
    id: 'prefix',
    text: 'Classes and IDs get a prefix, in the HTML and in selectors.',
    source: `${BUGS}/24`,
    prefix: 'm_',
    first: false,
  },
];

const gmailDescribed = ['css-selector-attribute', 'css-margin', 'css-text-indent', 'css-list-style', 'html-style'];

const gmail: ClientRules = {
  support: 'gmail.desktop-webmail',
  dark: {
    kind: 'none',
    base: '#ffffff',
    text: 'Dark mode does not change emails, and styles for dark mode are removed.',
    source: 'https://medium.com/swlh/dark-mode-in-html-email-everything-you-need-to-know-57b2647bf304',
  },
  subject: { characters: 70, source: SUBJECTS },
  preview: { characters: 120, source: PREVIEWS },
  described: gmailDescribed,
  rules: gmailRules,
};

export const clientRules: Record<ClientViewId, ClientRules> = {
  gmail,
  'gmail.android': {
    ...gmail,
    support: 'gmail.android',
    dark: {
      kind: 'partial',
      base: '#1f1f1f',
      text: 'Dark mode darkens light backgrounds and lightens the text on them. Styles for dark mode are removed.',
      source: 'https://www.digitalresponse.es/blog-en/dark-mode-impact-on-email-marketing/',
    },
    subject: { characters: 40, source: SUBJECTS },
    preview: { characters: 90, source: PREVIEWS },
  },
  'gmail.ios': {
    ...gmail,
    support: 'gmail.ios',
    dark: {
      kind: 'full',
      base: '#1f1f1f',
      text: 'Dark mode inverts the lightness of every color, also of emails that are dark. Styles for dark mode are removed.',
      source: DARK_GUIDE,
    },
    subject: { characters: 40, source: SUBJECTS },
    preview: { characters: 90, source: PREVIEWS },
  },
  outlook: {
    support: 'outlook.outlook-com',
    dark: {
      kind: 'partial',
      base: '#333333',
      text: 'Dark mode darkens light backgrounds and adapts the text, and marks the elements with data-ogsb and data-ogsc.',
      source: 'https://www.hteumeuleu.com/2019/dealing-with-outlook-com-s-dark-mode/',
    },
    subject: { characters: 73, source: SUBJECTS },
    preview: { characters: 100, source: PREVIEWS },
    described: ['css-selector-chaining', 'css-margin', 'css-position', 'css-selector-attribute'],
    rules: [
      active,
      {
        kind: 'prefix',
        id: 'prefix',
        text: 'Classes and IDs get the prefix x_, but only the first one of a selector such as .a.b, which then matches nothing.',
        source: `${BUGS}/61`,
        prefix: 'x_',
        first: true,
      },
      {
        kind: 'after-braces',
        id: 'after-braces',
        text: 'Styles after }} are removed. A space between the braces keeps them.',
        source: `${BUGS}/92`,
      },
      {
        kind: 'attribute-selector',
        id: 'attribute-selector',
        text: 'Attribute selectors with a class, or with ^=, $= and *=, are removed.',
        source: `${CANIEMAIL}/css-selector-attribute/`,
        matchers: ['', '=', '~=', '|='],
        alone: true,
      },
      negativeMargin,
      {
        kind: 'declaration',
        id: 'position',
        text: 'The positions relative, absolute and fixed are removed.',
        source: `${CANIEMAIL}/css-position/`,
        property: /^position$/,
        value: /relative|absolute|fixed/i,
      },
    ],
  },
  'outlook.windows': {
    support: 'outlook.windows',
    dark: {
      kind: 'full',
      base: '#1f1f1f',
      text: 'Dark mode inverts the lightness of every color.',
      source: DARK_GUIDE,
    },
    subject: { characters: 73, source: SUBJECTS },
    preview: { characters: 100, source: PREVIEWS },
    described: [],
    rules: [
      active,
      {
        kind: 'conditional-comments',
        id: 'conditional-comments',
        text: 'The content of comments such as <!--[if mso]> is read, and that of <!--[if !mso]> is not.',
        source: 'https://www.hteumeuleu.com/2020/outlook-rendering-engine/',
      },
    ],
  },
  'apple-mail': {
    support: 'apple-mail.macos',
    dark: {
      kind: 'media',
      base: '#1e1e1e',
      text: 'Dark mode applies styles for prefers-color-scheme and changes the default colors. Colors of the email stay.',
      source: 'https://www.mailviewr.com/blog/apple-mail-dark-mode-preview',
    },
    subject: { characters: 48, source: IPHONE },
    preview: { characters: 99, source: IPHONE },
    described: [],
    rules: [
      active,
      {
        kind: 'white-in-dark',
        id: 'white-in-dark',
        text: 'Dark mode may show a background of exactly #ffffff dark. The view keeps it.',
        source: `${BUGS}/65`,
      },
    ],
  },
  yahoo: {
    support: 'yahoo.desktop-webmail',
    dark: {
      kind: 'partial',
      base: '#1d1d1d',
      text: 'Dark mode darkens light backgrounds and lightens the text on them. Styles for dark mode are removed.',
      source: `${BUGS}/156`,
    },
    subject: { characters: 46, source: SUBJECTS },
    preview: { characters: null, source: PREVIEWS },
    described: ['css-height', 'css-margin', 'css-position', 'css-selector-attribute'],
    rules: [
      active,
      {
        kind: 'after-comment',
        id: 'after-comment',
        text: 'The rule after a comment in a style sheet is ignored.',
        source: `${BUGS}/25`,
      },
      {
        kind: 'media',
        id: 'media-list',
        text: 'A media query with a comma is removed, and all that follows it in the style sheet.',
        source: `${BUGS}/149`,
        query: /,/,
        removes: 'rest',
      },
      {
        kind: 'rename',
        id: 'height',
        text: 'height becomes min-height.',
        source: `${CANIEMAIL}/css-height/`,
        property: 'height',
        to: 'min-height',
      },
      {
        kind: 'declaration',
        id: 'background-without-quotes',
        text: 'A background image whose URL has no quotes is removed from style attributes.',
        source: `${BUGS}/79`,
        property: /^background(?:-image)?$/,
        value: /url\(\s*[^"'\s)]/i,
        in: 'attribute',
      },
      negativeMargin,
      {
        kind: 'declaration',
        id: 'position',
        text: 'The positions absolute, fixed and sticky are removed.',
        source: `${CANIEMAIL}/css-position/`,
        property: /^position$/,
        value: /absolute|fixed|sticky/i,
      },
      {
        kind: 'attribute-selector',
        id: 'attribute-selector',
        text: 'Attribute selectors other than [name=value] are removed.',
        source: `${CANIEMAIL}/css-selector-attribute/`,
        matchers: ['='],
      },
      {
        kind: 'prefix',
        id: 'prefix',
        text: 'Classes and IDs get a prefix, in the HTML and in selectors.',
        source: `${BUGS}/49`,
        prefix: 'yiv',
        first: false,
      },
    ],
  },
};

/** What every client does to images that the user has not allowed. */
export const IMAGES_OFF: About = {
  id: 'images-off',
  text: 'Images are blocked, and their alt text is shown.',
  source: 'https://www.campaignmonitor.com/resources/will-it-work/image-blocking/',
};
