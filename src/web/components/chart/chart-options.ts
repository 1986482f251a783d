import type uPlot from 'uplot';
import { formatCount } from '../format.js';
import type { Point, Series } from './line-chart.js';

/** Pixels. */
export const HEIGHT = 260;
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

export function optionsOf({ points, series, width, colors, onCursor }: Options): uPlot.Options {
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
