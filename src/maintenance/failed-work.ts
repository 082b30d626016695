/** What has failed for good, wherever it was: the operator's list, and what may be done about it. */
import { createJobAdmin } from '../adapters/jobs/admin.ts';
import type { Services } from '../context.ts';
import type { Queries } from '../db/handles.ts';
import {
  listFailedRefunds,
  listUnmatchedPayments,
  retryUnmatchedPayment,
} from '../domains/payments/failed-payments.ts';
import { retryRefund } from '../domains/payments/refunds.ts';
import { mailJob } from '../domains/shared/queue-mail.ts';
import { listFailedDeliveries, retryFailedDelivery } from '../domains/webhooks/delivery/failed-deliveries.ts';
import { isId } from '../lib/ids.ts';
import { now } from '../lib/time.ts';

export const failureKinds = ['job', 'mail', 'refund', 'delivery', 'payment'] as const;
export type FailureKind = (typeof failureKinds)[number];

export interface Failure {
  kind: FailureKind;
  id: string;
  /** When it was given up, in seconds. */
  at: number;
  subject: string;
  reason: string;
}

/** Newest first, at most `limit` of each kind. */
export async function listFailures(queries: Queries, limit: number): Promise<Failure[]> {
  const except = await putAside(queries);
  const of = (kind: FailureKind) => except.get(kind) ?? [];
  const named = (kind: FailureKind, found: Promise<Omit<Failure, 'kind'>[]>): Promise<Failure[]> =>
    found.then((items) => items.map((item) => ({ kind, ...item })));
  const lists = await Promise.all([
    failedJobs(queries, limit),
    named('refund', listFailedRefunds(queries, limit, of('refund'))),
    named('delivery', listFailedDeliveries(queries, limit, of('delivery'))),
    named('payment', listUnmatchedPayments(queries, limit, of('payment'))),
  ]);
  return lists.flat().sort((a, b) => b.at - a.at);
}

async function failedJobs(queries: Queries, limit: number): Promise<Failure[]> {
  const jobs = await createJobAdmin(queries).listFailed(limit);
  return jobs.map(({ id, queue, failedAt, tries, reason }) => ({
    kind: queue === mailJob.name ? 'mail' : 'job',
    id,
    at: failedAt,
    subject: `${queue}, after ${tries} tries`,
    reason,
  }));
}

async function putAside(queries: Queries): Promise<Map<string, string[]>> {
  const rows = await queries.prisma.putAside.findMany();
  return rows.reduce(
    (map, { kind, id }) => map.set(kind, [...(map.get(kind) ?? []), id]),
    new Map<string, string[]>(),
  );
}

type Act = (services: Services, id: string) => Promise<boolean>;

const tryJob: Act = ({ db }, id) => createJobAdmin(db).retry(id);
const dropJob: Act = ({ db }, id) => createJobAdmin(db).drop(id);

const retries: Readonly<Record<FailureKind, Act>> = {
  job: tryJob,
  mail: tryJob,
  refund: async (services, id) => isId(id) && retryRefund(services, id),
  delivery: retryFailedDelivery,
  payment: retryUnmatchedPayment,
};

/** All of these say whether there was such a failure. */
export const retryFailure = (services: Services, kind: FailureKind, id: string): Promise<boolean> =>
  retries[kind](services, id);

/** The same for who does not say of which kind it is: no two have the same id. */
export async function retryFailureById(services: Services, id: string): Promise<boolean> {
  for (const act of new Set(Object.values(retries))) if (await act(services, id)) return true;
  return false;
}

/** Jobs and mails are thrown away. Money and deliveries stay where they are, and are no longer listed. */
export async function dropFailure(services: Services, kind: FailureKind, id: string): Promise<boolean> {
  if (kind === 'job' || kind === 'mail') return dropJob(services, id);
  const listed = await listFailures(services.db, mostLookedThrough);
  if (!listed.some((failure) => failure.kind === kind && failure.id === id)) return false;
  await services.db.prisma.putAside.createMany({ data: [{ kind, id, at: now() }], skipDuplicates: true });
  return true;
}

export async function dropFailureById(services: Services, id: string): Promise<boolean> {
  for (const kind of failureKinds) if (await dropFailure(services, kind, id)) return true;
  return false;
}

const mostLookedThrough = 1000;
