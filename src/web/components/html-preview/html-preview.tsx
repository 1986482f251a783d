import { ExternalLink, ImageOff, Monitor, Moon, Smartphone, Sun, Tablet } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Button, IconButton, IconLink } from '../button.js';
import { loadable } from '../loadable.js';
import type { ClientChoice } from './client-menu.js';
import { HtmlFrame } from './html-frame.js';
import styles from './html-preview.module.css';

const SIZES = [
  { name: 'phone', label: 'Phone, 375 pixels', width: 375, icon: Smartphone },
  { name: 'tablet', label: 'Tablet, 768 pixels', width: 768, icon: Tablet },
  { name: 'desktop', label: 'Full width', width: undefined, icon: Monitor },
] as const;
type Size = (typeof SIZES)[number];
const ZOOMS = [50, 75, 100, 125, 150, 200];

interface View {
  size: Size;
  isDark: boolean;
  zoom: number;
  isRemote: boolean;
  as: ClientChoice | undefined;
}

const FIRST: View = { size: SIZES[2], isDark: false, zoom: 100, isRemote: false, as: undefined };

/** Loaded after the page, which shows the email without it. */
const ClientMenu = loadable(() => import('./client-menu.js').then((file) => file.ClientMenu), null);

interface Props {
  /** Name of the frame for screen readers. */
  title: string;
  /** The HTML, to find out whether it loads anything. */
  html: string;
  /** Pages of the HTML: without and with content of other servers. */
  urls: { html: string; html_remote: string };
  /** What the frame shows. It is loaded again when this changes, but not for new URLs of the same. */
  content: string;
  /** Called with the page that is shown, and with undefined when none is shown anymore. */
  onUrl?: ((url: string | undefined) => void) | undefined;
  waiting?: ReactNode;
  /** Returns the list of what a mail client changes. */
  differences?: ((choice: ClientChoice, isDark: boolean) => ReactNode) | undefined;
  /** More controls. */
  children?: ReactNode;
}

/** HTML as an email program shows it, in a frame without scripts. */
export function HtmlPreview({ title, html, urls, content, onUrl, waiting, differences, children }: Props) {
  const [view, setView] = useState(FIRST);
  const isBlocked = useMemo(() => loadsRemoteContent(html), [html]);
  const change = (some: Partial<View>) => setView((before) => ({ ...before, ...some }));
  const { size, zoom, isDark, isRemote, as } = view;
  const asClient = as?.hasPicture ? `&client=${as.client}${as.images === 'off' ? '&images=off' : ''}` : '';
  const url = (isRemote ? urls.html_remote : urls.html) + asClient;
  useEffect(() => {
    onUrl?.(url);
    return () => onUrl?.(undefined);
  }, [url, onUrl]);
  return (
    <div className={styles.preview}>
      <Controls view={view} onChange={change}>
        <IconLink
          label="Open the HTML in a new tab"
          icon={ExternalLink}
          href={`${url}&color_scheme=${isDark ? 'dark' : 'light'}`}
        />
        {children}
      </Controls>
      {as && differences?.(as, isDark)}
      {!isRemote && isBlocked && (
        <div className={styles.remote}>
          <ImageOff size={16} aria-hidden />
          <span>Remote images and styles are blocked.</span>
          <Button onClick={() => change({ isRemote: true })}>Load them</Button>
        </div>
      )}
      <div className={styles.stage} data-size={size.name}>
        {as?.hasPicture === false ? (
          <p className={styles.noView}>Word draws the emails of classic Outlook, which svc cannot show.</p>
        ) : (
          <HtmlFrame
            title={title}
            url={url}
            content={`${isRemote} ${asClient} ${content}`}
            isDark={isDark}
            waiting={waiting}
            style={{ width: size.width ?? '100%', zoom: zoom / 100 }}
          />
        )}
      </div>
      <p className={styles.cut}>
        Longer HTML is cut here. To print all of it, open it in a new tab with the button above the preview.
      </p>
    </div>
  );
}

interface ControlsProps {
  view: View;
  onChange(some: Partial<View>): void;
  children: ReactNode;
}

function Controls({ view, onChange, children }: ControlsProps) {
  return (
    <div className={styles.controls} role="toolbar" aria-label="Preview">
      <span className={styles.sizes}>
        {SIZES.map((size) => (
          <IconButton
            key={size.name}
            label={size.label}
            icon={size.icon}
            aria-pressed={size === view.size}
            onClick={() => onChange({ size })}
          />
        ))}
        <span className={styles.gap} />
      </span>
      <IconButton
        label={view.isDark ? 'Show in light mode' : 'Show in dark mode'}
        icon={view.isDark ? Moon : Sun}
        aria-pressed={view.isDark}
        onClick={() => onChange({ isDark: !view.isDark })}
      />
      <ClientMenu choice={view.as} onChange={(as) => onChange({ as })} />
      <select aria-label="Zoom" value={view.zoom} onChange={(event) => onChange({ zoom: Number(event.target.value) })}>
        {ZOOMS.map((zoom) => (
          <option key={zoom} value={zoom}>
            {zoom}%
          </option>
        ))}
      </select>
      {children}
    </div>
  );
}

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
function loadsRemoteContent(html: string): boolean {
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
