/** HTML of `/admin/jobs`: work that has failed permanently, with buttons to retry or drop it. */
import type { FailedWorkItem } from '../../maintenance/failed-work.ts';
import { type Html, safeHtml } from '../pages/html-template-and-page-frame.ts';
import { formatUtc, renderAdminTable } from './render-status-page.ts';

const kinds: Readonly<Record<FailedWorkItem['kind'], string>> = {
  job: 'Job',
  mail: 'Mail',
  refund: 'Refund',
  delivery: 'Webhook delivery',
  payment: 'Unmatched payment',
};

export const renderFailedWork = (failures: readonly FailedWorkItem[]): Html =>
  safeHtml`<p class="lead">Jobs, mails, refunds, webhook deliveries and payments that have used up their retries. Dropping a refund, payment or delivery only hides it here; its record stays in the database.</p>
${renderAdminTable(
  'Failed permanently',
  ['Work', 'Failed at (UTC)', 'Reason', 'Actions'],
  failures.map((failure) => [
    safeHtml`<strong>${kinds[failure.kind]}</strong><br>${failure.subject}`,
    formatUtc(failure.at),
    failure.reason,
    safeHtml`${button(failure, 'retry', 'Retry')} ${button(failure, 'drop', 'Drop')}`,
  ]),
  'Nothing has failed permanently.',
)}`;

const button = ({ kind, id, subject }: FailedWorkItem, action: string, label: string) =>
  safeHtml`<button type="button" data-action="${action}" data-kind="${kind}" data-id="${id}" aria-label="${label}: ${kinds[kind]} ${subject}">${label}</button>`;
