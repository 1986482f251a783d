import { isLoopback } from '../../contract/vocabulary/domains.js';
import type { FrameOptions } from '../../core/ports.js';
import { LINKS_MAX } from '../limits.js';

/** Replaces the URLs of an email: links, attachments, and what a frame would load. */

/** Shown instead of what is not loaded: an empty image. */
export const NOTHING = 'data:,';
/** Links that the page offers to open, after it has shown them. */
const LINK_SCHEME = /^(?:https?|mailto|tel|sms):/i;
/** A pixel or tracked link of a server like this one. A request would record an open or a click. */
export const TRACKING_PATH = /\/t\/[co]\/1\./;
/** Characters of a link in the query of another URL. Node.js refuses requests with a head above 16 KiB. */
const ENCODED_LINK_MAX = 8 * 1024;
/** Servers without TLS that a frame may load from. */
const HOSTS_MAX = 100;
/** The form of an origin that a policy can contain. */
const HTTP_ORIGIN = /^http:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/;

export class FrameUrls {
  /** The targets of links, in their order. */
  readonly links: string[] = [];
  /** The origins of content without TLS. */
  readonly hosts = new Set<string>();

  /** The ports of this server. */
  readonly #ownPorts: ReadonlySet<string>;

  constructor(private readonly options: FrameOptions) {
    this.#ownPorts = new Set(options.ownHosts.map((host) => portOf(new URL(`http://${host}`))));
  }

  /** Whether the frame may load from other servers. */
  get isRemoteAllowed(): boolean {
    return this.options.remote;
  }

  /** Returns a condition that always or never holds, for one on the color scheme; undefined to leave it. */
  preference(scheme: string): string | undefined {
    const { colorScheme } = this.options;
    if (colorScheme === undefined) return undefined;
    return scheme.toLowerCase() === colorScheme ? '(min-width: 0)' : '(max-width: 0)';
  }

  /** Returns whether a link is kept, and adds its target. */
  addLink(href: string): boolean {
    const url = withoutSpace(href);
    if (url.length > ENCODED_LINK_MAX || !LINK_SCHEME.test(url) || !URL.canParse(url)) return false;
    if (this.links.length === LINKS_MAX || encodedLength(url) > ENCODED_LINK_MAX) return false;
    this.links.push(url);
    return true;
  }

  /** Returns the URL of what a frame loads, or of nothing. */
  resource(value: string): string {
    const text = withoutSpace(value);
    if (/^data:(?:image|font)\//i.test(text)) return text;
    if (/^cid:/i.test(text)) return this.attachment(text) ?? NOTHING;
    // The page of an email has no scheme of its own.
    const url = text.startsWith('//') ? `https:${text}` : text;
    return this.allow(url) ? url : NOTHING;
  }

  /** Returns whether a frame may load from a URL. */
  allow(url: string): boolean {
    if (!this.options.remote || !/^https?:\/\//i.test(url) || TRACKING_PATH.test(url) || !URL.canParse(url))
      return false;
    const target = new URL(url);
    const { origin, protocol } = target;
    if (this.#isOwn(target)) return false;
    if (protocol === 'https:') return true;
    if (!HTTP_ORIGIN.test(origin) || this.hosts.size >= HOSTS_MAX) return this.hosts.has(origin);
    this.hosts.add(origin);
    return true;
  }

  /** Returns whether a URL is that of this server, in any spelling of this machine. */
  #isOwn(url: URL): boolean {
    if (this.options.ownHosts.includes(url.host)) return true;
    return isLoopback(url.hostname) && this.#ownPorts.has(portOf(url));
  }

  /** Returns the URL of the attachment that a `cid:` URL names. */
  attachment(cid: string): string | undefined {
    const name = cid.slice('cid:'.length);
    const { contentUrls } = this.options;
    return contentUrls.get(name) ?? contentUrls.get(decoded(name));
  }
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

function encodedLength(url: string): number {
  return new URLSearchParams({ url }).toString().length;
}

/** Removes what a browser removes before it parses a URL (URL standard, section 4.4). */
export function withoutSpace(value: string): string {
  return value.replace(/[\t\n\r]/g, '').trim();
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
