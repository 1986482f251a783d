import type { CapturedEmail } from '../../client/operations.js';
import type { ServiceClient } from '../../client/service-client.js';
import { shownClients } from '../../contract/vocabulary/client-views.js';
import { collectInlineImages } from '../../html/inline-images.js';
import type { PictureContent, Pictures } from '../../pictures/pictures.js';
import type { ScreenshotComparison, ScreenshotComparisonOptions, ScreenshotOptions } from '../api/emails.js';
import { unknownName } from './links.js';

/** Takes pictures of emails. The browser ends when it is no longer used, so that none is left at the end of the tests. */

/** Milliseconds after which an unused browser ends. The next picture then starts another. */
const IDLE_MS = 250;

/** Returns a picture of an email as PNG. @throws PictureError if none can be taken. */
export async function takePicture(
  client: ServiceClient,
  email: CapturedEmail,
  options: ScreenshotOptions = {},
): Promise<Uint8Array> {
  const content = await contentFor(client, email, options);
  return shared.with(async (pictures) => (await pictures.take(content, options)).png);
}

/** Compares an email with a picture in a file. @throws PictureError if a file or the browser cannot be used. */
export async function comparePicture(
  client: ServiceClient,
  email: CapturedEmail,
  file: string,
  options: ScreenshotComparisonOptions & { howToUpdate?: string } = {},
): Promise<ScreenshotComparison> {
  const content = await contentFor(client, email, options);
  const codes = email.codes.map(({ value }) => value);
  const { compareWithBaseline } = await import('../../pictures/baseline.js');
  const { passed, message, difference } = await shared.with((pictures) =>
    compareWithBaseline(pictures, file, content, { howToUpdate: 'pass update: true', ...options, codes }),
  );
  return { pass: passed, message: `${file}: ${message}.`, difference };
}

/** Returns what a picture of the email shows, as a mail client does if one is named. */
async function contentFor(
  service: ServiceClient,
  email: CapturedEmail,
  { client, dark = false }: ScreenshotOptions,
): Promise<PictureContent> {
  const content = await readContent(service, email);
  if (client === undefined) return content;
  if (!shownClients.includes(client)) throw unknownName(client, 'a mail client whose view can be shown', shownClients);
  if (content.html === '') return content;
  const query = { client, color_scheme: dark ? 'dark' : 'light' } as const;
  const { html } = await service.control('emails.view', { params: { id: email.id }, query });
  return { ...content, html: html ?? content.html };
}

/** Returns what a picture of the email shows. */
export async function readContent(
  client: ServiceClient,
  { id, html, text }: CapturedEmail,
): Promise<PictureContent & { images: NonNullable<PictureContent['images']> }> {
  const { attachments } = await client.control('emails.inspect', { params: { id } });
  const images = await collectInlineImages(attachments, (index) =>
    client.download('emails.attachment', { params: { id, index } }),
  );
  return { html, text, images };
}

/** The browser of the process, which tests share. */
class SharedBrowser {
  #browser: Promise<Pictures> | undefined;
  #users = 0;
  #idle: NodeJS.Timeout | undefined;

  /** Calls `use` with a running browser. @throws PictureError if none can be started; else as `use` does. */
  async with<T>(use: (pictures: Pictures) => Promise<T>): Promise<T> {
    clearTimeout(this.#idle);
    this.#users += 1;
    try {
      return await use(await this.#running());
    } catch (error) {
      throw withHint(error);
    } finally {
      this.#users -= 1;
      if (this.#users === 0) this.#idle = setTimeout(() => void this.#close(), IDLE_MS);
    }
  }

  /** Returns the running browser. Starts one if none runs, or if it has ended with a picture. */
  async #running(): Promise<Pictures> {
    const opening = this.#browser;
    const pictures = await opening?.catch(() => undefined);
    if (pictures && !pictures.ended) return pictures;
    // Another picture may have started one meanwhile.
    if (this.#browser === opening) this.#browser = open();
    return this.#browser as Promise<Pictures>;
  }

  async #close(): Promise<void> {
    const closing = this.#browser;
    this.#browser = undefined;
    await (await closing?.catch(() => undefined))?.close();
  }
}

const shared = new SharedBrowser();

/** Returns a PictureError whose message has the next step as well: test runners show nothing else. */
function withHint(error: unknown): unknown {
  const { name, message, hint } = error as Error & { hint?: string };
  if (name !== 'PictureError' || hint === undefined) return error;
  return Object.assign(new Error(`${message}\n${hint}`, { cause: error }), { name });
}

async function open(): Promise<Pictures> {
  const { openPictures } = await import('../../pictures/pictures.js');
  return openPictures({ env: process.env });
}
