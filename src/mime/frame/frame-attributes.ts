import type { Attribute, Tag } from '../../html/read-html.js';
import { type FrameUrls, NOTHING, withoutSpace } from './frame-urls.js';
import { escapeValue, styleText } from './written-text.js';

/** Chooses the attributes of a tag that a frame gets. */

const NAME = /^[a-z_][\w:.-]*$/;
/** Attributes that run or load something, submit a form, or change where links lead. */
const LEFT_OUT = new Set(
  (
    'action archive attributionsrc autofocus autoplay classid codebase code crossorigin data download ' +
    'dynsrc formaction http-equiv imagesrcset integrity is lowsrc manifest nonce ping popover profile rel shadowrootmode ' +
    'srcdoc target xml:base'
  ).split(' '),
);
/** Attributes that load something. */
const RESOURCES = new Set(['src', 'poster', 'background']);
const LINK_ELEMENTS = new Set(['a', 'area']);
/** Elements that load what `href` names. */
const LOADING_ELEMENTS = new Set(['link', 'image', 'use', 'feimage']);
const REFERENCES = new Set(['href', 'xlink:href']);

/** Returns the attributes as text, and whether a link has been added to `urls` and follows. */
export function attributesFor(tag: Tag, urls: FrameUrls): { text: string; hasLink: boolean } {
  let text = tag.tagName === 'link' ? ' rel="stylesheet"' : '';
  let hasLink = false;
  for (const attribute of tag.attrs) {
    const { name, value } = attribute;
    if (!NAME.test(name) || name.startsWith('on') || LEFT_OUT.has(name)) continue;
    const kept = REFERENCES.has(name) ? reference(tag.tagName, value, urls) : valueFor(attribute, urls);
    if (kept !== undefined) text += ` ${name}="${escapeValue(kept)}"`;
    else if (LINK_ELEMENTS.has(tag.tagName) && REFERENCES.has(name) && !hasLink) hasLink = urls.addLink(value);
  }
  return { text, hasLink };
}

function valueFor({ name, value }: Attribute, urls: FrameUrls): string | undefined {
  if (name === 'style' || name === 'media') return styleText(value, urls);
  if (name === 'srcset') return srcset(value, urls);
  if (RESOURCES.has(name)) return urls.resource(value);
  // Attributes of SVG, such as `fill`, can load something too.
  return /url\(/i.test(value) ? styleText(value, urls) : value;
}

/** Returns the value of `href`, if it leads to a part of the email or to something that is loaded. */
function reference(tagName: string, value: string, urls: FrameUrls): string | undefined {
  if (withoutSpace(value).startsWith('#')) return withoutSpace(value);
  return LOADING_ELEMENTS.has(tagName) ? urls.resource(value) : undefined;
}

/** Returns a URL without the commas at its end, which separate it from the next one. */
function withoutCommas(url: string): string {
  let end = url.length;
  while (url[end - 1] === ',') end -= 1;
  return url.slice(0, end);
}

/** Returns the images of a `srcset` that may be loaded, each with its size. */
function srcset(value: string, urls: FrameUrls): string | undefined {
  const images = value.split(/,\s+/).flatMap((each) => {
    const [url = '', size = ''] = each.trim().split(/\s+/);
    const loaded = urls.resource(withoutCommas(url));
    return loaded === NOTHING ? [] : [`${loaded} ${/^[\d.]+[wx]$/.test(size) ? size : ''}`.trim()];
  });
  return images.length > 0 ? images.join(', ') : undefined;
}
