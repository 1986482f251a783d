const SELECTOR = '[src], [srcset], [background], [poster], link[href], css-text, [data-css]';
const ATTRIBUTES = ['src', 'srcset', 'background', 'poster', 'data-css'];
/** The start of an address of a server: at the start, or after a space, comma, bracket or quote. */
const REMOTE = /(?:^|[\s,("'])(?:https?:)?\/\//i;

/** What every such address has in HTML: its slashes, or character references, which may stand for them. */
const MAY_BE_REMOTE = /\/\/|&#|&sol/;
/** What loads something; in a style also with escapes. Without any of these, HTML has at most links. */
const MAY_LOAD = /src|background|poster|<link|<style|url|import|image-set|\\|&#/i;
/** Characters that are parsed first: megabytes take half a second. */
const BEGINNING = 100_000;

/** Returns whether HTML refers to images, styles or fonts of other servers. */
export function loadsRemoteContent(html: string): boolean {
  if (!MAY_BE_REMOTE.test(html) || !MAY_LOAD.test(html)) return false;
  return isFoundIn(html.slice(0, BEGINNING)) || (html.length > BEGINNING && isFoundIn(html));
}

/** Parsing loads and runs nothing. */
function isFoundIn(html: string): boolean {
  // Under other names, because the page's policy would report each style and each script.
  const renamed = html
    .replace(/(<\/?)style\b/gi, '$1css-text')
    .replace(/\sstyle(?=\s*=)/gi, ' data-css')
    .replace(/\bon(?=[a-z]+\s*=)/gi, 'data-on');
  const { body, head } = new DOMParser().parseFromString(renamed, 'text/html');
  return [...head.querySelectorAll(SELECTOR), ...body.querySelectorAll(SELECTOR), body].some(isRemote);
}

function isRemote(element: Element): boolean {
  const values = ATTRIBUTES.map((name) => element.getAttribute(name) ?? '');
  if (element.localName === 'link') values.push(element.getAttribute('href') ?? '');
  if (element.localName === 'css-text') values.push(element.textContent ?? '');
  return values.some((value) => REMOTE.test(value));
}
