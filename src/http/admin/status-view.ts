/** `/admin` for people: what the process and its neighbours do. */
import { formatClientLabel } from '../../domains/usage/read-usage.ts';
import { type Html, markup } from '../pages/html.ts';
import { renderChart } from './charts.ts';
import { chartedProtocols, type OperationStats, type RateSeries } from './request-rates.ts';
import type { AdminStatus } from './status.ts';

const titles = { graphql: 'GraphQL', rest: 'REST' } as const;
const pointsKept = 60;

export function renderStatus(status: AdminStatus): Html {
  const { migrations, version, upSeconds } = status;
  return markup`<p class="lead">Version ${version}, up for ${duration(upSeconds)}. Rates of this process over the last five minutes.</p>
<div class="charts">${charts(status.voices)}</div>
<h2>Slowest operations</h2>${operations('Slowest operations', status.slowest, 'Nothing was asked yet.')}
<h2>Most failing operations</h2>${operations('Most failing operations', status.failing, 'Nothing has failed.')}
<h2>Who uses what, in 30 days</h2>${renderTable(
    'Who uses what, in 30 days',
    ['Operation or path', 'Client', 'Calls', 'Last (UTC)'],
    status.clients.map((used) => [used.name, formatClientLabel(used), used.calls, formatUtc(used.lastAt)]),
    'Nobody was seen yet.',
  )}
<h2>Queues</h2><p><a href="/admin/jobs">What has failed for good</a></p>${renderTable(
    'Queues',
    ['Queue', 'Waiting', 'Running', 'Failed', 'Oldest due'],
    status.queues.map((q) => [q.queue, q.waiting, q.running, q.failed, `${q.oldestSeconds} s`]),
    'There are no queues.',
  )}
<h2>Stuck orders</h2>${renderTable(
    'Stuck orders',
    ['Order', 'Business', 'Should have ended (UTC)'],
    status.stuckOrders.map(({ id, businessId, expiresAt }) => [id, businessId, formatUtc(expiresAt)]),
    'None.',
  )}
<h2>Processes and migrations</h2>${renderTable(
    'Processes and migrations',
    ['Process', 'Connections'],
    status.processes.map(({ name, connections }) => [name, connections]),
    'None is connected.',
  )}
<p>${migrations.applied} migrations are applied, the last is <code>${migrations.last}</code>. ${migrations.pending.length === 0 ? 'None is missing.' : `Missing: ${migrations.pending.join(', ')}.`}</p>
`;
}

const charts = (series: RateSeries): Html[] =>
  chartedProtocols.flatMap((voice) => [
    renderChart({
      title: `${titles[voice]}: requests`,
      unit: '/s',
      values: series[voice].map(({ perSecond }) => perSecond),
      capacity: pointsKept,
    }),
    renderChart({
      title: `${titles[voice]}: 95 of 100 within`,
      unit: 'ms',
      values: series[voice].map(({ p95Ms }) => p95Ms),
      capacity: pointsKept,
    }),
  ]);

const operations = (label: string, list: readonly OperationStats[], none: string) =>
  renderTable(
    label,
    ['Operation', 'Voice', 'Requests', 'Failed', 'Mean', '95 % within'],
    list.map((one) => [
      one.operation,
      one.voice,
      one.count,
      one.failed,
      `${one.meanMs.toFixed(1)} ms`,
      `${Math.round(one.p95Ms * 10) / 10} ms`,
    ]),
    none,
  );

type Cell = string | number | Html;

/** Wide ones scroll on their own, so that the page does not. */
export const renderTable = (
  label: string,
  heads: readonly string[],
  rows: readonly (readonly Cell[])[],
  none: string,
): Html =>
  rows.length === 0
    ? markup`<p>${none}</p>`
    : markup`<div class="wide" tabindex="0" role="region" aria-label="${label}"><table><thead><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => markup`<tr>${row.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`)}</tbody></table></div>`;

export const formatUtc = (seconds: number) =>
  new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`;
}
