/** Permanently failed jobs, mails, refunds, webhook deliveries and payments: listed for operators, retried or dropped. */
import { createJobAdmin } from '../adapters/jobs/job-admin.ts';
import type { Services } from '../context.ts';
import type { QueryHandle } from '../db/handles.ts';
import {
  listFailedRefunds,
  listUnmatchedPayments,
  retryUnmatchedPayment,
} from '../domains/payments/failed-refunds-and-unmatched-payments.ts';
import { retryRefund } from '../domains/payments/retry-refund.ts';
import { sendMailJob } from '../domains/shared/queue-mail.ts';
import {
  sendConfirmEmailMailJob,
  sendPasswordResetMailJob,
} from '../domains/users/messages/send-one-time-token-mail-jobs.ts';
import {
  listFailedWebhookDeliveries,
  retryFailedWebhookDelivery,
} from '../domains/webhooks/delivery/failed-deliveries.ts';
import { isId } from '../lib/ids.ts';
import { now } from '../lib/time.ts';

const mailQueues = new Set(
  [sendMailJob, sendConfirmEmailMailJob, sendPasswordResetMailJob].map(({ name }) => name),
);

export const failedWorkKinds = ['job', 'mail', 'refund', 'delivery', 'payment'] as const;
type FailedWorkKind = (typeof failedWorkKinds)[number];

export interface FailedWorkItem {
  kind: FailedWorkKind;
  id: string;
  /** Unix time in seconds of the final attempt. */
  at: number;
  subject: string;
  reason: string;
}

/** Newest first, at most `limit` of each kind. */
export async function listFailedWork(queries: QueryHandle, limit: number): Promise<FailedWorkItem[]> {
  const hiddenIds = await loadHiddenIds(queries);
  const hiddenOf = (kind: FailedWorkKind) => hiddenIds.get(kind) ?? [];
  const withKind = (
    kind: FailedWorkKind,
    failures: Promise<Omit<FailedWorkItem, 'kind'>[]>,
  ): Promise<FailedWorkItem[]> => failures.then((items) => items.map((item) => ({ kind, ...item })));
  const lists = await Promise.all([
    listFailedJobs(queries, limit),
    withKind('refund', listFailedRefunds(queries, limit, hiddenOf('refund'))),
    withKind('delivery', listFailedWebhookDeliveries(queries, limit, hiddenOf('delivery'))),
    withKind('payment', listUnmatchedPayments(queries, limit, hiddenOf('payment'))),
  ]);
  return lists.flat().sort((a, b) => b.at - a.at);
}

async function listFailedJobs(queries: QueryHandle, limit: number): Promise<FailedWorkItem[]> {
  const jobs = await createJobAdmin(queries).listFailed(limit);
  return jobs.map(({ id, queue, failedAt, tries, reason }) => ({
    kind: mailQueues.has(queue) ? 'mail' : 'job',
    id,
    at: failedAt,
    subject: `${queue}, after ${tries} tries`,
    reason,
  }));
}

async function loadHiddenIds(queries: QueryHandle): Promise<Map<string, string[]>> {
  const rows = await queries.prisma.putAside.findMany();
  return rows.reduce(
    (map, { kind, id }) => map.set(kind, [...(map.get(kind) ?? []), id]),
    new Map<string, string[]>(),
  );
}

type FailureAction = (services: Services, id: string) => Promise<boolean>;

const retryJob: FailureAction = ({ db }, id) => createJobAdmin(db).retry(id);
const dropJob: FailureAction = ({ db }, id) => createJobAdmin(db).drop(id);

const retries: Readonly<Record<FailedWorkKind, FailureAction>> = {
  job: retryJob,
  mail: retryJob,
  refund: async (services, id) => isId(id) && retryRefund(services, id),
  delivery: retryFailedWebhookDelivery,
  payment: retryUnmatchedPayment,
};

/** The functions below return whether such a failure exists. A refund that may not be made any more throws a validation error. */
export const retryFailedWork = (services: Services, kind: FailedWorkKind, id: string): Promise<boolean> =>
  retries[kind](services, id);

/** Like `retryFailedWork` without a kind: ids are unique across kinds. */
export async function retryFailedWorkById(services: Services, id: string): Promise<boolean> {
  for (const retry of new Set(Object.values(retries))) if (await retry(services, id)) return true;
  return false;
}

/** Deletes jobs and mails. Refunds, payments and deliveries stay in their tables and are only hidden from the list (table `put_aside`). */
export async function dropFailedWork(services: Services, kind: FailedWorkKind, id: string): Promise<boolean> {
  if (kind === 'job' || kind === 'mail') return dropJob(services, id);
  const failures = await listFailedWork(services.db, maxSearchedFailures);
  if (!failures.some((failure) => failure.kind === kind && failure.id === id)) return false;
  await services.db.prisma.putAside.createMany({ data: [{ kind, id, at: now() }], skipDuplicates: true });
  return true;
}

export async function dropFailedWorkById(services: Services, id: string): Promise<boolean> {
  for (const kind of failedWorkKinds) if (await dropFailedWork(services, kind, id)) return true;
  return false;
}

const maxSearchedFailures = 1000;
