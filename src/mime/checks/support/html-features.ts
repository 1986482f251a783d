import type { CheckPlace } from '../../../contract/control/emails/check.js';
import type { Element, HtmlDocument } from '../html/document.js';
import { Found, type Places, type Range } from '../places.js';

/** Finds the features of HTML and the image formats that a document uses. */
export function addHtmlFeatures({ elements, comments, doctype }: HtmlDocument, uses: FeatureUses): void {
  if (doctype !== undefined) uses.add('html-doctype', doctype);
  for (const comment of comments) uses.add('html-comments', comment);
  for (const element of elements) {
    for (const slug of new Set(featuresOf(element))) uses.add(slug, element);
  }
}

/** Elements of features whose name is not that of one element. */
const ELEMENT_FEATURES = new Map<string, string>([
  ...featureOf('html-h1-h6', 'h1 h2 h3 h4 h5 h6'),
  ...featureOf('html-image-maps', 'map area'),
  ...featureOf('html-lists', 'ul ol dl'),
  ...featureOf('html-object', 'object embed'),
  ...featureOf(
    'html-semantics',
    'article aside details figcaption figure footer header main mark nav section summary time',
  ),
]);

export const ATTRIBUTE_FEATURES: ReadonlyMap<string, string> = new Map<string, string>([
  ...'align aria-describedby aria-hidden aria-label aria-labelledby aria-live background cellpadding cellspacing'
    .split(' ')
    .map((name): [string, string] => [name, `html-${name}`]),
  ...'dir height hidden lang popover required role srcset target valign width'
    .split(' ')
    .map((name): [string, string] => [name, `html-${name}`]),
  ['bgcolor', 'css-background-color'],
  ['border', 'css-border'],
  ['inert', 'css-inert-attribute'],
  ['loading', 'html-loading-attribute'],
  ['sizes', 'html-srcset'],
  ['usemap', 'html-image-maps'],
  ['amp4email', 'amp'],
  ['⚡4email', 'amp'],
]);

function featureOf(slug: string, names: string): [string, string][] {
  return names.split(' ').map((name) => [name, slug]);
}

type NamedElement = Pick<Element, 'name' | 'attributes'>;

/** Returns the features of an element without those of its attributes. */
export function elementFeatures(element: NamedElement): string[] {
  return [ELEMENT_FEATURES.get(element.name) ?? `html-${element.name}`, ...valueFeatures(element)];
}

function featuresOf(element: Element): string[] {
  const { attributes } = element;
  const slugs = elementFeatures(element);
  for (const attribute of attributes.keys()) {
    const slug = ATTRIBUTE_FEATURES.get(attribute);
    if (slug !== undefined) slugs.push(slug);
  }
  return slugs;
}

/** Returns the features that depend on the value of an attribute. */
function valueFeatures({ name, attributes }: NamedElement): string[] {
  const href = attributes.get('href') ?? '';
  const type = attributes.get('type')?.toLowerCase();
  switch (name) {
    case 'a':
      if (/^mailto:/i.test(href)) return ['html-mailto-links'];
      return href.startsWith('#') || attributes.has('name') ? ['html-anchor-links'] : [];
    case 'button':
      return [`html-button-${type ?? 'submit'}`];
    case 'input':
      return [`html-input-${type ?? 'text'}`];
    case 'meta':
      return /^(?:supported-)?color-schemes?$/i.test(attributes.get('name') ?? '') ? ['html-meta-color-scheme'] : [];
    case 'img':
    case 'source':
      return [...imageFormats(attributes.get('src')), ...imageFormats(attributes.get('srcset'))];
    default:
      return imageFormats(attributes.get('background'));
  }
}

/** Names of image formats by file extension, and by media type. */
const FORMATS = new Map<string, string>([
  ...'apng avif bmp gif hdr heif ico jpg mp4 png svg tiff webp'
    .split(' ')
    .map((name): [string, string] => [name, `image-${name}`]),
  ['heic', 'image-heif'],
  ['jpeg', 'image-jpg'],
  ['tif', 'image-tiff'],
  ['svg+xml', 'image-svg'],
  ['x-icon', 'image-ico'],
]);
/** Characters of a URL that are read for its format. */
const URL_START = 4_096;

function imageFormats(url: string | undefined): string[] {
  if (url === undefined) return [];
  const start = url.slice(0, URL_START).trim().toLowerCase();
  const [, media] = /^data:image\/([a-z+-]{2,20})/.exec(start) ?? [];
  const [, extension] = /\.([a-z0-9]{3,4})(?=$|[?#\s,])/.exec(start) ?? [];
  const format = FORMATS.get(media ?? extension ?? '');
  const slugs = format === undefined ? [] : [format];
  return media === undefined ? slugs : ['image-base64', ...slugs];
}

/** Positions of a feature that are listed. */
const PLACES_MAX = 5;

/** The features that an email uses, with their positions. */
export class FeatureUses {
  readonly #bySlug = new Map<string, Found>();

  constructor(private readonly places: Places) {}

  /** Adds a use by a number of elements. */
  add(slug: string, range: Range, elements = 1): void {
    let found = this.#bySlug.get(slug);
    if (!found) {
      found = new Found(PLACES_MAX);
      this.#bySlug.set(slug, found);
    }
    found.add(() => this.places.of(range), elements);
  }

  of(slug: string): { count: number; where: CheckPlace[] } | undefined {
    return this.#bySlug.get(slug);
  }
}
