/** Server-rendered SVG line charts, without scripts or style attributes. */
import { type Html, safeHtml } from '../pages/html-template-and-page-frame.ts';

const [width, height] = [240, 56];

/** Points of the polyline, newest value at the right edge; missing older values leave the left side empty. Pure. */
export function formatChartLinePoints(values: readonly number[], capacity: number): string {
  const max = Math.max(...values, 0) || 1;
  const step = width / Math.max(capacity - 1, 1);
  return values
    .map((value, index) => {
      const x = width - (values.length - 1 - index) * step;
      const y = height - 2 - (value / max) * (height - 6);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}

interface ChartOptions {
  title: string;
  unit: string;
  values: readonly number[];
  /** Number of values that fill the whole width. */
  capacity: number;
}

export function renderChart({ title, unit, values, capacity }: ChartOptions): Html {
  const format = (value: number) => `${value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${unit}`;
  const last = format(values.at(-1) ?? 0);
  const max = format(Math.max(...values, 0));
  return safeHtml`<figure class="chart"><figcaption>${title}</figcaption><p class="now">${last}</p>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}: now ${last}, at most ${max}"><polyline points="${formatChartLinePoints(values, capacity)}" fill="none"/></svg>
<p class="most">at most ${max}</p></figure>
`;
}
