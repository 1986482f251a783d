import type {
  CheckInput,
  ContentChecks,
  Extracted,
  ExtractInput,
  FrameHtml,
  FrameOptions,
  HtmlLinks,
  ParsedMessage,
} from '../../core/ports.js';

/** The tasks of a worker. Each kind has one input and one result. */
export interface Tasks {
  parse: { input: Uint8Array; result: ParsedMessage };
  'html-links': { input: string; result: HtmlLinks };
  extract: { input: ExtractInput; result: Extracted };
  check: { input: CheckInput; result: ContentChecks };
  frame: { input: FrameOptions & { html: string }; result: FrameHtml };
}

export type TaskKind = keyof Tasks;

/** Loads what parses messages, so that the first message need not wait for it. */
export async function load(): Promise<void> {
  await import('../parse.js');
}

/** Performs a task of one kind. Its module is loaded with the first task of the kind, except that of `parse`. */
export async function perform(kind: string, input: unknown): Promise<unknown> {
  switch (kind as TaskKind) {
    case 'parse':
      return (await import('../parse.js')).parseMessage(input as Uint8Array);
    case 'html-links':
      return (await import('../html-links.js')).findHtmlLinks(input as string);
    case 'extract':
      return (await import('../extract/extract.js')).extract(input as ExtractInput);
    case 'check':
      return (await import('../checks/check-content.js')).checkContent(input as CheckInput);
    case 'frame': {
      const { html, ...options } = input as Tasks['frame']['input'];
      return (await import('../frame/frame-html.js')).frameHtml(html, options);
    }
  }
}
