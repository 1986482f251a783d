import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { formatCount } from '../format.js';
import { HEIGHT, optionsOf } from './chart-options.js';
import styles from './line-chart.module.css';
import type { LineStyle } from './line-style.js';
import { SeriesMark } from './series-mark.js';
import { onThemeChange, themeColors } from './theme-colors.js';

/** A line of the chart, with a value for each point of the horizontal axis. */
export interface Series {
  name: string;
  line: LineStyle;
  values: readonly number[];
}

/** A point of the horizontal axis. */
export interface Point {
  /** As short as the axis needs it. */
  tick: string;
  title: string;
}

interface Props {
  /** What the chart shows, for screen readers. Its numbers must also be in a table. */
  label: string;
  points: readonly Point[];
  series: readonly Series[];
}

interface Hover {
  index: number;
  left: number;
  isRight: boolean;
}

/** Draws counts as lines, with the numbers of the point below the pointer. */
export function LineChart({ label, points, series }: Props) {
  const plot = useRef<HTMLDivElement>(null);
  const [hover, setHover] = useState<Hover>();
  useEffect(() => {
    const element = plot.current;
    if (!element) return;
    const onCursor = ({ cursor, over, bbox }: uPlot) => {
      const { idx, left = -1 } = cursor;
      if (typeof idx !== 'number' || left < 0) return setHover(undefined);
      const start = bbox.left / devicePixelRatio;
      setHover({ index: idx, left: start + left, isRight: left > over.clientWidth / 2 });
    };
    const colors = themeColors(element);
    const options = optionsOf({ points, series, width: element.clientWidth, colors, onCursor });
    const chart = new uPlot(
      options,
      [points.map((_, index) => index), ...series.map(({ values }) => [...values])],
      element,
    );
    const size = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    size.observe(element);
    const unfollow = onThemeChange(() => chart.redraw(false));
    return () => {
      unfollow();
      size.disconnect();
      chart.destroy();
      setHover(undefined);
    };
  }, [points, series]);
  const point = hover && points[hover.index];
  return (
    <div className={styles.chart}>
      <div ref={plot} className={styles.plot} role="img" aria-label={label} />
      {hover && point && (
        <div
          className={styles.tooltip}
          style={{ left: hover.left, translate: hover.isRight ? 'calc(-100% - 12px)' : '12px' }}
          aria-hidden="true"
        >
          <strong>{point.title}</strong>
          <ul>
            {series.map(({ name, line, values }) => (
              <li key={name}>
                <SeriesMark line={line} />
                {name} <b>{formatCount(values[hover.index] ?? 0)}</b>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
