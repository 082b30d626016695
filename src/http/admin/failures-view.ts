/** `/admin/jobs` for people: what has failed for good, with a button to try again and one to drop it. */
import type { Failure } from '../../maintenance/failed-work.ts';
import { type Html, markup } from '../pages/html.ts';
import { formatUtc, renderTable } from './status-view.ts';

const kinds: Readonly<Record<Failure['kind'], string>> = {
  job: 'Job',
  mail: 'Mail',
  refund: 'Refund',
  delivery: 'Webhook delivery',
  payment: 'Payment that fits nothing',
};

export const renderFailures = (failures: readonly Failure[]): Html =>
  markup`<p class="lead">What has failed for good. Money and deliveries that are dropped stay in the books, and leave this list.</p>
${renderTable(
  'What has failed for good',
  ['What', 'When (UTC)', 'Why', 'Do'],
  failures.map((failure) => [
    markup`<strong>${kinds[failure.kind]}</strong><br>${failure.subject}`,
    formatUtc(failure.at),
    failure.reason,
    markup`${button(failure, 'retry', 'Try again')} ${button(failure, 'drop', 'Drop')}`,
  ]),
  'Nothing has failed for good.',
)}`;

const button = ({ kind, id, subject: what }: Failure, action: string, label: string) =>
  markup`<button type="button" data-action="${action}" data-kind="${kind}" data-id="${id}" aria-label="${label}: ${kinds[kind]} ${what}">${label}</button>`;
