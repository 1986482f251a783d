/** Replaces references to parts of a message by their content. */

/** Content of an image in an email, by its Content-ID. */
export type InlineImages = ReadonlyMap<string, { type: string; bytes: Uint8Array }>;

interface Part {
  index: number;
  content_id: string | null;
  content_type: string;
}

/** Reads the images that the HTML of an email can refer to. `download` returns the content of the part of an index. */
export async function collectInlineImages(
  parts: readonly Part[],
  download: (index: string) => Promise<Uint8Array>,
): Promise<InlineImages> {
  const images = new Map<string, { type: string; bytes: Uint8Array }>();
  for (const { index, content_id, content_type } of parts) {
    if (content_id === null || !IMAGE_TYPE.test(content_type)) continue;
    images.set(content_id, { type: content_type, bytes: await download(String(index)) });
  }
  return images;
}

/** The form of a type that is written into a page. */
const IMAGE_TYPE = /^image\/[a-z0-9.+-]+$/i;

/** A reference to a part of the message, in an attribute or a style. */
const CID = /(?<=[\s"'(=])cid:([^\s"'()<>]{1,1000})/gi;
/** Limit for the images in a page: an email may refer to the same image any number of times. */
const IMAGES_CHARACTERS = 100 * 1024 * 1024;

/** Returns the HTML with references to inline images replaced by their content. */
export function withImages(html: string, images: InlineImages): string {
  const urls = new Map<string, string>();
  let total = 0;
  return html.replace(CID, (reference, name: string) => {
    const id = contentIdOf(name);
    const image = images.get(id);
    if (!image) return reference;
    const url = urls.get(id) ?? `data:${image.type};base64,${Buffer.from(image.bytes).toString('base64')}`;
    urls.set(id, url);
    total += url.length;
    return total > IMAGES_CHARACTERS ? reference : url;
  });
}

function contentIdOf(name: string): string {
  const text = name.replaceAll('&amp;', '&');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
