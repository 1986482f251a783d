import { ExternalLink, ImageOff, Monitor, Moon, Smartphone, Sun, Tablet } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { describeFailure } from '../../../api/failures.js';
import { Button, IconButton } from '../../../components/button.js';
import { FailureView } from '../../../components/failure-view.js';
import { Loading } from '../../../components/loading.js';
import { useContentUrls } from '../content-urls.js';
import type { TabProps } from '../types.js';
import styles from './preview-tab.module.css';
import { loadsRemoteContent } from './remote-content.js';

const SIZES = [
  { name: 'phone', label: 'Phone, 375 pixels', width: 375, icon: Smartphone },
  { name: 'tablet', label: 'Tablet, 768 pixels', width: 768, icon: Tablet },
  { name: 'desktop', label: 'Full width', width: undefined, icon: Monitor },
] as const;
type Size = (typeof SIZES)[number];
const ZOOMS = [50, 75, 100, 125, 150, 200];
/** The copy before tracking was added. */
const AS_WRITTEN = '';

interface View {
  size: Size;
  isDark: boolean;
  zoom: number;
  isRemote: boolean;
  recipient: string;
}

const FIRST: View = { size: SIZES[2], isDark: false, zoom: 100, isRemote: false, recipient: AS_WRITTEN };

/** The HTML of the email as an email program shows it, in a frame without scripts. */
export function PreviewTab({ email }: TabProps) {
  const [view, setView] = useState(FIRST);
  const isBlocked = useMemo(() => loadsRemoteContent(email.html), [email.html]);
  const { data: urls, error, refetch } = useContentUrls(email.id);
  const change = (some: Partial<View>) => setView((before) => ({ ...before, ...some }));
  if (error && !urls) return <FailureView {...describeFailure(error)} onRetry={() => void refetch()} />;
  if (!urls) return <Loading />;
  const copy = urls.delivered.find(({ address }) => address === view.recipient) ?? urls;
  const source = view.isRemote ? copy.html_remote : copy.html;
  return (
    <div className={styles.preview}>
      <Controls view={view} onChange={change} recipients={urls.delivered.map(({ address }) => address)}>
        {source && (
          <a
            className={styles.open}
            href={`${source}&color_scheme=${schemeOf(view)}`}
            target="_blank"
            rel="noopener noreferrer"
            title="Open the HTML in a new tab, for example to print all of it"
            aria-label="Open the HTML in a new tab"
          >
            <ExternalLink size={18} aria-hidden />
          </a>
        )}
      </Controls>
      {!view.isRemote && isBlocked && (
        <div className={styles.remote}>
          <ImageOff size={16} aria-hidden />
          <span>Remote images and styles are blocked.</span>
          <Button onClick={() => change({ isRemote: true })}>Load them</Button>
        </div>
      )}
      {source && <Frame key={frameKey(email.id, view)} source={source} view={view} />}
    </div>
  );
}

/** A frame keeps its first address: a renewed one shows the same, and would scroll to the top. */
function Frame({ source, view }: { source: string; view: View }) {
  const { size, isDark, zoom } = view;
  const [first] = useState(`${source}&color_scheme=${schemeOf(view)}`);
  return (
    <div className={styles.stage} data-size={size.name}>
      <iframe
        title="HTML of the email"
        className={styles.frame}
        src={first}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        data-dark={isDark}
        style={{ width: size.width ?? '100%', zoom: zoom / 100 }}
      />
      <p className={styles.cut}>
        A longer email is cut here. To print all of it, choose “Open the HTML in a new tab” above the preview, and print
        that tab.
      </p>
    </div>
  );
}

function schemeOf({ isDark }: View): 'dark' | 'light' {
  return isDark ? 'dark' : 'light';
}

function frameKey(id: string, { isRemote, recipient, isDark }: View): string {
  return [id, isRemote, recipient, isDark].join(' ');
}

interface ControlsProps {
  view: View;
  recipients: readonly string[];
  onChange(some: Partial<View>): void;
  children: ReactNode;
}

function Controls({ view, recipients, onChange, children }: ControlsProps) {
  return (
    <div className={styles.controls} role="toolbar" aria-label="Preview">
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
      <IconButton
        label={view.isDark ? 'Show in light mode' : 'Show in dark mode'}
        icon={view.isDark ? Moon : Sun}
        aria-pressed={view.isDark}
        onClick={() => onChange({ isDark: !view.isDark })}
      />
      <select aria-label="Zoom" value={view.zoom} onChange={(event) => onChange({ zoom: Number(event.target.value) })}>
        {ZOOMS.map((zoom) => (
          <option key={zoom} value={zoom}>
            {zoom}%
          </option>
        ))}
      </select>
      {children}
      {recipients.length > 0 && (
        <select
          aria-label="Copy"
          className={styles.copies}
          value={view.recipient}
          onChange={(event) => onChange({ recipient: event.target.value })}
        >
          <option value={AS_WRITTEN}>As written</option>
          {recipients.map((address) => (
            <option key={address} value={address}>
              Delivered to {address}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
