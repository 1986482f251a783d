import type { CheckPlace, EmailCheck } from '../../../contract/control/emails/check.js';
import type { CheckInput } from '../../../core/ports.js';
import type { ComputedStyles } from '../css/computed-styles.js';
import type { Element, HtmlDocument } from '../html/document.js';
import { Found, type Places } from '../places.js';

/** Checks images: their texts and their sizes. */

export function checkImageAlt({ document, places }: ContentInput): Finding {
  const images = shownImages(document.elements);
  const found = new Found();
  for (const image of images) if (!image.attributes.has('alt')) found.add(() => places.of(image));
  if (images.length === 0) return plainFinding('image-alt', null, 'The email has no images.');
  const total = counted(images.length, 'image');
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
  const total = counted(images.length, 'image');
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

/** What a check of the content reads. */
export interface ContentInput extends CheckInput {
  document: HtmlDocument;
  styles: ComputedStyles;
  /** Positions in the HTML. */
  places: Places;
}

/** The result of a check, without the texts that are always the same. */
export type Finding = Pick<EmailCheck, 'id' | 'passed' | 'details' | 'count' | 'where'>;

/** Returns the result of a check that fails if it found a position. */
export function findingOf(id: string, found: Pick<Found, 'count' | 'where'>, good: string, bad: string): Finding {
  const { count, where } = found;
  return { id, passed: count === 0, details: count === 0 ? good : bad, count, where };
}

/** Returns the result of a check without positions. */
export function plainFinding(id: string, passed: boolean | null, details: string, where: CheckPlace[] = []): Finding {
  return { id, passed, details, count: where.length, where };
}

/** Returns `1 image`, `2 images`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
