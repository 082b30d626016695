/** Batched inserts: which records share a statement, and retries after a rejected batch. */
import { expect, it } from 'vitest';
import { BatchedInserts } from '../../src/db/batching/batched-inserts.ts';
import type { Db, QueryHandle } from '../../src/db/handles.ts';
import type { QueryContext } from '../../src/db/query-context-and-statement-functions.ts';
import { createTimeoutError, type Deadline } from '../../src/lib/async/deadline.ts';

interface LoggedWrite {
  ids: string[];
  queryContext: QueryContext | undefined;
}

/** Stub of a database handle with its query context. */
function stubDb(context?: QueryContext): Db {
  const shortRead = async () => [];
  const handle = (context: QueryContext | undefined): Db =>
    ({ batching: true, shortRead, withContext: handle, ...(context && { queryContext: context }) }) as never;
  return handle(context);
}

const rejection = Object.assign(new Error('no'), { severity: 'FEHLER', code: '23505' });

function loggedInserts(reject: (ids: readonly string[]) => Error | undefined = () => undefined) {
  const log: LoggedWrite[] = [];
  const write = async (handle: QueryHandle, items: readonly { id: string }[]) => {
    const ids = items.map(({ id }) => id);
    log.push({ ids, queryContext: (handle as Db).queryContext });
    const error = reject(ids);
    if (error) throw error;
    return new Set(ids.filter((id) => !id.startsWith('taken')));
  };
  return { log, inserts: new BatchedInserts(write) };
}

const actor = { actor: 'USER', userId: 'anna', protocol: 'REST' } as const;

it('inserts the records of one actor and owner in a tick together, and reports each result', async () => {
  const { log, inserts } = loggedInserts();
  const db = stubDb();
  const as = (requestId: string) => db.withContext({ auditContext: { ...actor, requestId } });
  const first = inserts.add(as('r1'), 'shop', { id: 'a' });
  const second = inserts.add(as('r2'), 'shop', { id: 'taken' });
  const otherOwner = inserts.add(as('r3'), 'other shop', { id: 'c' });
  const otherProtocol = inserts.add(
    db.withContext({ auditContext: { ...actor, protocol: 'GRAPHQL' } }),
    'shop',
    {
      id: 'd',
    },
  );
  const otherDb = inserts.add(stubDb({ auditContext: actor }), 'shop', { id: 'e' });
  expect(await Promise.all([first, second, otherOwner, otherProtocol, otherDb])).toEqual([
    true,
    false,
    true,
    true,
    true,
  ]);
  expect(await inserts.add(as('r4'), 'shop', { id: 'f' })).toBe(true);
  expect(log.map(({ ids }) => ids)).toEqual([['a', 'taken'], ['c'], ['d'], ['e'], ['f']]);
  expect(log[0]?.queryContext?.auditContext).toEqual({
    ...actor,
    requestId: undefined,
    requestIdByRecord: { a: 'r1', taken: 'r2' },
  });
  expect(log[1]?.queryContext?.auditContext).toEqual({ ...actor, requestId: 'r3' });
});

it('inserts at most 16 records per statement', async () => {
  const { log, inserts } = loggedInserts();
  const db = stubDb({ auditContext: actor });
  await Promise.all(Array.from({ length: 40 }, (_item, id) => inserts.add(db, 'shop', { id: String(id) })));
  expect(log.map(({ ids }) => ids.length)).toEqual([16, 16, 8]);
});

it('inserts one by one after the database rejected the batch', async () => {
  const { log, inserts } = loggedInserts((ids) => (ids.includes('bad') ? rejection : undefined));
  const db = stubDb({ auditContext: { ...actor, requestId: 'r1' } });
  const results = await Promise.allSettled(['good', 'bad'].map((id) => inserts.add(db, 'shop', { id })));
  expect(results).toEqual([
    { status: 'fulfilled', value: true },
    { status: 'rejected', reason: rejection },
  ]);
  expect(log.map(({ ids }) => ids)).toEqual([['good', 'bad'], ['good'], ['bad']]);
  expect(log[1]?.queryContext?.auditContext).toEqual({ ...actor, requestId: 'r1' });
});

it('inserts one by one if the deadline of one record had expired', async () => {
  const { log, inserts } = loggedInserts((ids) => (ids.includes('late') ? createTimeoutError() : undefined));
  const db = stubDb({ auditContext: actor });
  const results = await Promise.allSettled(['in time', 'late'].map((id) => inserts.add(db, 'shop', { id })));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(log.map(({ ids }) => ids)).toEqual([['in time', 'late'], ['in time'], ['late']]);
});

it('does not retry if the outcome is unknown', async () => {
  const lost = Object.assign(new Error('Connection terminated unexpectedly'));
  const fatal = Object.assign(new Error('terminating connection'), { severity: 'FATAL', code: '57P01' });
  for (const error of [lost, fatal]) {
    const { log, inserts } = loggedInserts(() => error);
    const db = stubDb({ auditContext: actor });
    const results = await Promise.allSettled(['a', 'b'].map((id) => inserts.add(db, 'shop', { id })));
    expect(results.map((result) => result.status === 'rejected' && result.reason)).toEqual([error, error]);
    expect(log).toHaveLength(1);
  }
});

it('is cancelled when the first deadline expires', async () => {
  const { log, inserts } = loggedInserts();
  const db = stubDb();
  const deadlines = [1, 2].map(() => {
    const cancellations: (() => Promise<unknown>)[] = [];
    const deadline: Deadline & { expired: boolean } = {
      expired: false,
      externalCallMs: () => 0,
      onExpired(cancel) {
        cancellations.push(cancel);
        return async () => void cancellations.splice(cancellations.indexOf(cancel), 1);
      },
    };
    return { deadline, cancellations };
  });
  await Promise.all(
    deadlines.map(({ deadline }, id) =>
      inserts.add(db.withContext({ auditContext: actor, deadline }), 'shop', { id: String(id) }),
    ),
  );
  const shared = log[0]?.queryContext?.deadline;
  expect(shared?.expired).toBe(false);
  let cancelled = 0;
  const unsubscribe = shared?.onExpired(async () => {
    cancelled += 1;
  });
  await deadlines[1]?.cancellations[0]?.();
  expect(cancelled).toBe(1);
  for (const { deadline } of deadlines) deadline.expired = true;
  expect(shared?.expired).toBe(true);
  await unsubscribe?.();
  expect(deadlines.map(({ cancellations }) => cancellations.length)).toEqual([0, 0]);
});
