import type { EmailCheck } from '../../../contract/control/emails/check.js';
import type { ContentChecks } from '../../ports.js';

/** Describes the checks of an email. docs/checks.md has one section for each. */

type Definition = Pick<EmailCheck, 'title' | 'severity' | 'explanation' | 'see'>;

/** Checks that read the content in a worker. */
const ofContent = {
  'html-support': {
    title: 'HTML and CSS support',
    severity: 'warning',
    explanation:
      'Mail clients support different parts of HTML and CSS. A score below 80 means that many readers see another layout. ' +
      'Look at the least supported features, and at the clients that your readers use.',
    see: 'https://www.caniemail.com/',
  },
  'active-content': {
    title: 'Scripts and embedded content',
    severity: 'error',
    explanation:
      'Mail clients remove scripts, event handlers and embedded pages, and filters treat them as an attack. ' +
      'Use links to a web page instead.',
    see: 'https://support.google.com/mail/answer/6590',
  },
  'link-targets': {
    title: 'Link targets',
    severity: 'warning',
    explanation:
      'An email has no base address, so a link needs a complete URL. Use https, because mail clients warn about http.',
    see: 'https://www.w3.org/WAI/WCAG22/Understanding/link-purpose-in-context.html',
  },
  'image-alt': {
    title: 'Images with text',
    severity: 'warning',
    explanation:
      'Many clients block images at first, and screen readers read the alt attribute. Add alt to each image; use alt="" ' +
      'for decoration.',
    see: 'https://www.w3.org/WAI/tutorials/images/',
  },
  'image-size': {
    title: 'Images with a size',
    severity: 'info',
    explanation:
      'Without width and height, blocked images change the layout, and Outlook for Windows shows images in their full ' +
      'size. Set both attributes, or a style such as height:auto.',
    see: 'https://www.caniemail.com/features/html-width/',
  },
  contrast: {
    title: 'Text contrast',
    severity: 'warning',
    explanation:
      'Text needs a contrast of 4.5:1 to its background, large text 3:1. Only text on a known background color is ' +
      'checked, with the colors of style attributes and simple rules of style sheets.',
    see: 'https://www.w3.org/WAI/WCAG22/Understanding/contrast-minimum.html',
  },
  'text-part': {
    title: 'Plain text',
    severity: 'warning',
    explanation:
      'Some readers, watches and screen readers use the plain text, and filters distrust email with HTML only. ' +
      'Send a text next to the HTML.',
    see: 'https://www.rfc-editor.org/rfc/rfc2046#section-5.1.4',
  },
  preheader: {
    title: 'Preheader',
    severity: 'info',
    explanation:
      'Inboxes show the first text of an email after its subject. A hidden text at the start of the body decides what ' +
      'they show.',
    see: 'https://www.caniemail.com/features/css-display-none/',
  },
  'html-size': {
    title: 'Size of the HTML',
    severity: 'warning',
    explanation:
      'Gmail shows the first 102 KiB of the HTML, and a link to the rest. The footer with the link to unsubscribe is then ' +
      'hidden.',
    see: 'https://github.com/hteumeuleu/email-bugs/issues/41',
  },
  placeholders: {
    title: 'Placeholders',
    severity: 'error',
    explanation:
      'Placeholders and values such as undefined mean that a template got no value for them. Pass the values, or define ' +
      'defaults.',
    see: 'https://handlebarsjs.com/guide/expressions.html',
  },
  'spam-patterns': {
    title: 'Spam patterns',
    severity: 'warning',
    explanation:
      'Filters count patterns such as capitals in the subject, link shorteners and texts that hide the target of a link. ' +
      'One of them is harmless; several can move an email to the spam folder.',
    see: 'https://support.google.com/a/answer/81126',
  },
} as const satisfies Record<string, Definition>;

/** Checks of template files, whose results `svc templates check` finds while it renders them. */
const ofTemplates = {
  'sample-data': {
    title: 'Sample data',
    severity: 'error',
    explanation:
      'Rendering fails if a placeholder has no value. Add the value to sample.json, or correct the name of the placeholder.',
    see: 'https://handlebarsjs.com/guide/expressions.html',
  },
} as const satisfies Record<string, Definition>;

/** Checks of header fields, the envelope and the sending domain. */
const ofAuthentication = {
  'list-unsubscribe': {
    title: 'List-Unsubscribe',
    severity: 'warning',
    explanation:
      'Gmail and Yahoo require one-click unsubscribing for bulk email: List-Unsubscribe with an https URL, and ' +
      'List-Unsubscribe-Post. A signature of the message must include both header fields.',
    see: 'https://www.rfc-editor.org/rfc/rfc8058',
  },
  'sending-domain': {
    title: 'Sending domain',
    severity: 'warning',
    explanation:
      'The service sends with live keys only from verified domains. Add the domain of the sender and verify it.',
    see: 'https://www.rfc-editor.org/rfc/rfc5322#section-3.6.2',
  },
  'return-path': {
    title: 'Return-Path alignment (SPF)',
    severity: 'warning',
    explanation:
      'SPF checks the domain of the Return-Path. It counts for DMARC only if this domain and that of From belong together.',
    see: 'https://www.rfc-editor.org/rfc/rfc7489#section-3.1.2',
  },
  dkim: {
    title: 'DKIM alignment',
    severity: 'warning',
    explanation:
      'A DKIM signature counts for DMARC only if it is valid, its domain and that of From belong together, and its key is ' +
      'in the DNS. svc verifies signatures with the keys of its own domains only.',
    see: 'https://www.rfc-editor.org/rfc/rfc7489#section-3.1.1',
  },
  dmarc: {
    title: 'DMARC',
    severity: 'warning',
    explanation:
      'Receivers look up the DMARC policy of the domain in From. It passes if SPF or DKIM passes with an aligned domain. ' +
      'Gmail and Yahoo require a policy for bulk email.',
    see: 'https://www.rfc-editor.org/rfc/rfc7489#section-6.6.2',
  },
} as const satisfies Record<string, Definition>;

export const checkDefinitions = { ...ofContent, ...ofTemplates, ...ofAuthentication };

export type CheckId = keyof typeof checkDefinitions;

/** Creates results of checks that have no positions. */

export type Finding = ContentChecks['findings'][number];

export function finding(id: CheckId, passed: boolean | null, details: string): Finding {
  return { id, passed, details, count: 0, where: [] };
}

/** Returns the result of a check that needs the state of a domain. */
export function notAdded(id: CheckId, from: string): Finding {
  return finding(id, null, `Not checked, because domain ${from} has not been added.`);
}

/** Returns the next step after a record was not found. */
export function verifyHint(domain: string): string {
  return `Publish it, then run "svc domains verify ${domain}".`;
}
