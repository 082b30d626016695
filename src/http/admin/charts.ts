/** Small charts as SVG, drawn by the server: no script, no style attributes. */
import { type Html, markup } from '../pages/html.ts';

const [width, height] = [240, 56];

/** The points of a line that fills the chart, newest at the right; what is not known yet is left empty. Pure. */
export function chartLinePoints(values: readonly number[], room: number): string {
  const top = Math.max(...values, 0) || 1;
  const step = width / Math.max(room - 1, 1);
  return values
    .map((value, index) => {
      const x = width - (values.length - 1 - index) * step;
      const y = height - 2 - (value / top) * (height - 6);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}

export interface ChartOptions {
  title: string;
  unit: string;
  values: readonly number[];
  capacity: number;
}

export function renderChart({ title, unit, values, capacity: room }: ChartOptions): Html {
  const show = (value: number) => `${value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${unit}`;
  const last = show(values.at(-1) ?? 0);
  const top = show(Math.max(...values, 0));
  return markup`<figure class="chart"><figcaption>${title}</figcaption><p class="now">${last}</p>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}: now ${last}, at most ${top}"><polyline points="${chartLinePoints(values, room)}" fill="none"/></svg>
<p class="most">at most ${top}</p></figure>
`;
}
