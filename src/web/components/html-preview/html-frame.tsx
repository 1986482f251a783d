import { type CSSProperties, type ReactNode, useMemo, useState } from 'react';
import { Loading } from '../states.js';
import styles from './html-preview.module.css';

interface Props {
  title: string;
  url: string;
  content: string;
  isDark: boolean;
  /** Shown until the frame has loaded, instead of a sign that it loads. */
  waiting?: ReactNode;
  style: CSSProperties;
}

/**
 * A frame that keeps its first address: a renewed one shows the same, and would scroll to the top. While other content
 * loads, the frame before it stays in view.
 */
export function HtmlFrame({ title, url, content, isDark, waiting, style }: Props) {
  const key = `${isDark} ${content}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first address of this content
  const wanted = useMemo(() => ({ key, isDark, src: `${url}&color_scheme=${isDark ? 'dark' : 'light'}` }), [key]);
  const [shown, setShown] = useState(wanted);
  const [isLoaded, setLoaded] = useState(false);
  const frames = shown.key === wanted.key ? [shown] : [shown, wanted];
  return (
    <>
      {!isLoaded && <div className={styles.waiting}>{waiting || <Loading />}</div>}
      {frames.map((frame) => (
        <iframe
          key={frame.key}
          title={frame === shown ? title : `${title}, loading`}
          className={`${styles.frame} ${frame === shown ? '' : styles.loading}`}
          src={frame.src}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
          data-dark={frame.isDark}
          style={style}
          onLoad={() => {
            setShown(frame);
            setLoaded(true);
          }}
        />
      ))}
    </>
  );
}
