/** Replaces references to parts of a message by their content. */

/** Content of an image in an email, by its Content-ID. */
export type InlineImages = ReadonlyMap<string, { type: string; bytes: Uint8Array }>;

/** The form of a type that is written into a page. */
export const IMAGE_TYPE = /^image\/[a-z0-9.+-]+$/i;

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
