/** HTML of `/admin`. */
import { formatUsageClientLabel } from '../../domains/usage/read-api-usage.ts';
import { type Html, safeHtml } from '../pages/html-template-and-page-frame.ts';
import type { AdminStatus } from './collect-admin-status.ts';
import { chartedProtocols, type OperationStats, type RequestRatesByProtocol } from './request-rates.ts';

/** Server-rendered SVG line charts, without scripts or style attributes. */
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

const titles = { graphql: 'GraphQL', rest: 'REST' } as const;
const chartPoints = 60;

export function renderAdminStatus(status: AdminStatus): Html {
  const { migrations, version, upSeconds } = status;
  return safeHtml`<p class="lead">Version ${version}, up for ${duration(upSeconds)}. Rates of this process over the last five minutes.</p>
<div class="charts">${charts(status.protocols)}</div>
<h2>Slowest operations</h2>${operations('Slowest operations', status.slowest, 'No requests yet.')}
<h2>Most failing operations</h2>${operations('Most failing operations', status.failing, 'No failed requests.')}
<h2>Usage by client, last 30 days</h2>${renderAdminTable(
    'Usage by client, last 30 days',
    ['Operation or path', 'Client', 'Calls', 'Last (UTC)'],
    status.clients.map((summary) => [
      summary.name,
      formatUsageClientLabel(summary),
      summary.calls,
      formatUtc(summary.lastAt),
    ]),
    'No usage recorded yet.',
  )}
<h2>Queues</h2><p><a href="/admin/jobs">Failed permanently</a></p>${renderAdminTable(
    'Queues',
    ['Queue', 'Waiting', 'Running', 'Failed', 'Oldest due'],
    status.queues.map((q) => [q.queue, q.waiting, q.running, q.failed, `${q.oldestSeconds} s`]),
    'There are no queues.',
  )}
<h2>Stuck orders</h2>${renderAdminTable(
    'Stuck orders',
    ['Order', 'Business', 'Expired at (UTC)'],
    status.stuckOrders.map(({ id, businessId, expiresAt }) => [id, businessId, formatUtc(expiresAt)]),
    'None.',
  )}
<h2>Processes and migrations</h2>${renderAdminTable(
    'Processes and migrations',
    ['Process', 'Connections'],
    status.processes.map(({ name, connections }) => [name, connections]),
    'No process is connected.',
  )}
<p>${migrations.applied} migrations applied, the last is <code>${migrations.last}</code>. ${migrations.pending.length === 0 ? 'None pending.' : `Pending: ${migrations.pending.join(', ')}.`}</p>
`;
}

const charts = (series: RequestRatesByProtocol): Html[] =>
  chartedProtocols.flatMap((protocol) => [
    renderChart({
      title: `${titles[protocol]}: requests`,
      unit: '/s',
      values: series[protocol].map(({ perSecond }) => perSecond),
      capacity: chartPoints,
    }),
    renderChart({
      title: `${titles[protocol]}: 95th percentile`,
      unit: 'ms',
      values: series[protocol].map(({ p95Ms }) => p95Ms),
      capacity: chartPoints,
    }),
  ]);

const operations = (label: string, list: readonly OperationStats[], emptyText: string) =>
  renderAdminTable(
    label,
    ['Operation', 'Protocol', 'Requests', 'Failed', 'Mean', 'p95'],
    list.map((operation) => [
      operation.operation,
      operation.protocol,
      operation.count,
      operation.failed,
      `${operation.meanMs.toFixed(1)} ms`,
      `${Math.round(operation.p95Ms * 10) / 10} ms`,
    ]),
    emptyText,
  );

type Cell = string | number | Html;

/** HTML table in its own scroll container, so that wide tables do not widen the page. */
export const renderAdminTable = (
  label: string,
  heads: readonly string[],
  rows: readonly (readonly Cell[])[],
  emptyText: string,
): Html =>
  rows.length === 0
    ? safeHtml`<p>${emptyText}</p>`
    : safeHtml`<div class="wide" tabindex="0" role="region" aria-label="${label}"><table><thead><tr>${heads.map((head) => safeHtml`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => safeHtml`<tr>${row.map((cell) => safeHtml`<td>${cell}</td>`)}</tr>\n`)}</tbody></table></div>`;

export const formatUtc = (seconds: number) =>
  new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`;
}
