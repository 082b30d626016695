/** HTML of `/admin/jobs`: work that has failed permanently, with buttons to retry or drop it. */
import type { Failure } from '../../maintenance/failed-work.ts';
import { type Html, markup } from '../pages/html.ts';
import { formatUtc, renderTable } from './status-view.ts';

const kinds: Readonly<Record<Failure['kind'], string>> = {
  job: 'Job',
  mail: 'Mail',
  refund: 'Refund',
  delivery: 'Webhook delivery',
  payment: 'Unmatched payment',
};

export const renderFailures = (failures: readonly Failure[]): Html =>
  markup`<p class="lead">Jobs, mails, refunds, webhook deliveries and payments that have used up their retries. Dropping a refund, payment or delivery only hides it here; its record stays in the database.</p>
${renderTable(
  'Failed permanently',
  ['Work', 'Failed at (UTC)', 'Reason', 'Actions'],
  failures.map((failure) => [
    markup`<strong>${kinds[failure.kind]}</strong><br>${failure.subject}`,
    formatUtc(failure.at),
    failure.reason,
    markup`${button(failure, 'retry', 'Retry')} ${button(failure, 'drop', 'Drop')}`,
  ]),
  'Nothing has failed permanently.',
)}`;

const button = ({ kind, id, subject }: Failure, action: string, label: string) =>
  markup`<button type="button" data-action="${action}" data-kind="${kind}" data-id="${id}" aria-label="${label}: ${kinds[kind]} ${subject}">${label}</button>`;
