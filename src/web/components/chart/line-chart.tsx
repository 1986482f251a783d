import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { formatCount } from '../format.js';
import styles from './line-chart.module.css';

/** A line of the chart, with a value for each point of the horizontal axis. */
interface Series {
  name: string;
  line: LineStyle;
  values: readonly number[];
}

/** A point of the horizontal axis. */
interface Point {
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

/** Resolves colors of the theme for a canvas, which cannot use custom properties. */

/** Returns a function that returns the color of a design token in the current theme. */
function themeColors(element: HTMLElement): (token: string) => string {
  return (token) => {
    const probe = document.createElement('span');
    element.append(probe);
    probe.style.color = `var(${token})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}

/** Calls back when the user or the system changes the theme. Returns the function that ends this. */
function onThemeChange(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', listener);
  const setting = new MutationObserver(listener);
  setting.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', listener);
    setting.disconnect();
  };
}

/** Pixels. */
const HEIGHT = 260;
const FONT = '12px system-ui, sans-serif';
const DIGIT_PX = 7;
const AXIS_PX = 20;
/** Charts with more points show lines only. */
const MARKED_POINTS = 62;

/** Steps of an axis of whole numbers: 1, 2, 5, 10, … */
const STEPS = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

interface Options {
  points: readonly Point[];
  series: readonly Series[];
  width: number;
  colors(token: string): string;
  onCursor(chart: uPlot): void;
}

function optionsOf({ points, series, width, colors, onCursor }: Options): uPlot.Options {
  const axis = {
    stroke: () => colors('--text-muted'),
    grid: { stroke: () => colors('--border'), width: 1 },
    ticks: { show: false },
    font: FONT,
    incrs: STEPS,
  };
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: [-0.5, points.length - 0.5] },
      y: { range: (_, _min, max) => [0, Math.max(1, max ?? 0) * 1.05] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 64,
        size: 32,
        values: (_, splits) => splits.map((index) => points[index]?.tick ?? ''),
      },
      {
        ...axis,
        values: (_, splits) => splits.map(formatCount),
        size: (_, values) => Math.max(0, ...(values ?? []).map((text) => text.length)) * DIGIT_PX + AXIS_PX,
      },
    ],
    series: [
      {},
      ...series.map(({ line }) => ({
        stroke: () => colors(line.color),
        width: 2,
        ...(line.dash && { dash: line.dash }),
        points: { show: points.length <= MARKED_POINTS, size: 5, fill: () => colors(line.color) },
      })),
    ],
    hooks: { setCursor: [onCursor] },
  };
}

/** A short piece of a line of a chart, for its legend. */
export function SeriesMark({ line: { color, dash } }: { line: LineStyle }) {
  return (
    <svg width="18" height="8" aria-hidden="true">
      <line x1="1" y1="4" x2="17" y2="4" stroke={`var(${color})`} strokeWidth="2.5" strokeDasharray={dash?.join(' ')} />
    </svg>
  );
}

/** How a line of a chart is drawn. Lines differ in their dashes too, for people who cannot tell the colors apart. */
export interface LineStyle {
  /** A design token, such as `--green`. */
  color: string;
  /** Lengths of the dashes and of the gaps between them, in pixels. */
  dash?: number[];
}
