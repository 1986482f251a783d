import type { ReceivedEnvelope } from '../../core/model/received.js';
import type { ShownContent } from '../../core/model/search.js';
import type {
  CheckInput,
  ClientView,
  ClientViewInput,
  ContentChecks,
  Extracted,
  ExtractInput,
  FrameHtml,
  FrameOptions,
  HtmlLinks,
  ParsedMessage,
  VerifyDkim,
} from '../../core/ports.js';

/** The tasks of a worker. Each kind has one input and one result. */
export interface Tasks {
  parse: { input: Uint8Array; result: ParsedMessage };
  'html-links': { input: string; result: HtmlLinks };
  extract: { input: ExtractInput; result: Extracted };
  shown: { input: { html: string; head: Uint8Array | null }; result: ShownContent };
  check: { input: CheckInput; result: ContentChecks };
  frame: { input: FrameOptions & { html: string }; result: FrameHtml };
  view: { input: ClientViewInput; result: ClientView };
  envelope: { input: Uint8Array; result: ReceivedEnvelope };
  dkim: { input: Parameters<VerifyDkim>[1] & { message: Uint8Array }; result: string | undefined };
}

export type TaskKind = keyof Tasks;

const modules = {
  parse: () => import('../parse.js'),
  'html-links': () => import('../html-links.js'),
  extract: () => import('../extract/extract.js'),
  shown: () => import('../extract/html-document.js'),
  check: () => import('../checks/check-content.js'),
  frame: () => import('../frame/frame-html.js'),
  view: () => import('../views/client-view.js'),
  envelope: () => import('../envelope.js'),
  dkim: () => import('../dkim-verify.js'),
};

/** Loads what performs tasks of a kind, so that the first need not wait for it. */
export async function load(kind: string): Promise<void> {
  await modules[kind as TaskKind]();
}

/** Performs a task of one kind. Its module is loaded with the first task of the kind. */
export async function perform(kind: string, input: unknown): Promise<unknown> {
  switch (kind as TaskKind) {
    case 'parse':
      return (await modules.parse()).parseMessage(input as Uint8Array);
    case 'html-links':
      return (await modules['html-links']()).findHtmlLinks(input as string);
    case 'extract':
      return (await modules.extract()).extract(input as ExtractInput);
    case 'shown': {
      const { html, head } = input as Tasks['shown']['input'];
      return (await modules.shown()).shownContent(html, head);
    }
    case 'check':
      return (await modules.check()).checkContent(input as CheckInput);
    case 'frame': {
      const { html, ...options } = input as Tasks['frame']['input'];
      return (await modules.frame()).frameHtml(html, options);
    }
    case 'view':
      return (await modules.view()).viewAsClient(input as ClientViewInput);
    case 'envelope':
      return (await modules.envelope()).readEnvelope(input as Uint8Array);
    case 'dkim': {
      const { message, ...key } = input as Tasks['dkim']['input'];
      return (await modules.dkim()).verifyDkim(message, key);
    }
  }
}
