import { plural } from '../../../contract/vocabulary/text.js';
import { type ContentInput, type Finding, findingOf, plainFinding } from '../finding.js';
import type { Element } from '../html/document.js';
import { Found } from '../places.js';

/** Checks images: their texts and their sizes. */

export function checkImageAlt({ document, places }: ContentInput): Finding {
  const images = shownImages(document.elements);
  const found = new Found();
  for (const image of images) if (!image.attributes.has('alt')) found.add(() => places.of(image));
  if (images.length === 0) return plainFinding('image-alt', null, 'The email has no images.');
  const total = plural(images.length, 'image');
  return findingOf(
    'image-alt',
    found,
    `${total}, each with an alt attribute.`,
    `${found.count} of ${total} without an alt attribute.`,
  );
}

export function checkImageSize({ document, places }: ContentInput): Finding {
  const images = shownImages(document.elements);
  const found = new Found();
  for (const image of images) {
    const missing = ['width', 'height'].filter((name) => !hasSize(image, name));
    if (missing.length > 0) found.add(() => places.of(image, `no ${missing.join(' and no ')}`));
  }
  if (images.length === 0) return plainFinding('image-size', null, 'The email has no images.');
  const total = plural(images.length, 'image');
  return findingOf(
    'image-size',
    found,
    `${total}, each with a width and a height.`,
    `${found.count} of ${total} without a width or a height.`,
  );
}

/** Returns the images that a reader sees: not pixels for tracking. */
function shownImages(elements: readonly Element[]): Element[] {
  return elements.filter((element) => element.name === 'img' && !isPixel(element));
}

function isPixel({ attributes }: Element): boolean {
  const isTiny = (name: string) => /^\s*[01](?:px)?\s*$/.test(attributes.get(name) ?? '');
  return isTiny('width') && isTiny('height');
}

const IN_STYLE = {
  width: /(?:^|[;\s])(?:max-)?width\s{0,5}:/i,
  height: /(?:^|[;\s])(?:max-)?height\s{0,5}:/i,
};

function hasSize({ attributes }: Element, name: string): boolean {
  const pattern = name === 'width' ? IN_STYLE.width : IN_STYLE.height;
  return Boolean(attributes.get(name)?.trim()) || pattern.test(attributes.get('style') ?? '');
}
