/** Who writes together, and what becomes of the others when one is refused. */
import { expect, it } from 'vitest';
import { BatchedInserts } from '../../src/db/batching/batched-inserts.ts';
import type { Db, Queries } from '../../src/db/handles.ts';
import type { QueryContext } from '../../src/db/query-context.ts';
import { createTimeoutError, type Deadline } from '../../src/lib/async/deadline.ts';

interface Written {
  ids: string[];
  caller: QueryContext | undefined;
}

/** A database that only knows who asks it. */
function database(caller?: QueryContext): Db {
  const short = async () => [];
  const on = (asking: QueryContext | undefined): Db =>
    ({ shortRead: short, withContext: on, ...(asking && { queryContext: asking }) }) as never;
  return on(caller);
}

const refused = Object.assign(new Error('no'), { severity: 'FEHLER', code: '23505' });

function writes(refuse: (ids: readonly string[]) => Error | undefined = () => undefined) {
  const log: Written[] = [];
  const write = async (on: Queries, items: readonly { id: string }[]) => {
    const ids = items.map(({ id }) => id);
    log.push({ ids, caller: (on as Db).queryContext });
    const error = refuse(ids);
    if (error) throw error;
    return new Set(ids.filter((id) => !id.startsWith('taken')));
  };
  return { log, creates: new BatchedInserts(write) };
}

const author = { actor: 'USER', userId: 'anna', protocol: 'REST' } as const;

it('writes what one author asks for in a turn together, and says of each whether it was written', async () => {
  const { log, creates } = writes();
  const db = database();
  const as = (requestId: string) => db.withContext({ auditContext: { ...author, requestId } });
  const one = creates.add(as('r1'), 'shop', { id: 'a' });
  const two = creates.add(as('r2'), 'shop', { id: 'taken' });
  const foreign = creates.add(as('r3'), 'other shop', { id: 'c' });
  const voice = creates.add(db.withContext({ auditContext: { ...author, protocol: 'GRAPHQL' } }), 'shop', {
    id: 'd',
  });
  const elsewhere = creates.add(database({ auditContext: author }), 'shop', { id: 'e' });
  expect(await Promise.all([one, two, foreign, voice, elsewhere])).toEqual([true, false, true, true, true]);
  expect(await creates.add(as('r4'), 'shop', { id: 'f' })).toBe(true);
  expect(log.map(({ ids }) => ids)).toEqual([['a', 'taken'], ['c'], ['d'], ['e'], ['f']]);
  expect(log[0]?.caller?.auditContext).toEqual({
    ...author,
    requestId: undefined,
    requestIdByRecord: { a: 'r1', taken: 'r2' },
  });
  expect(log[1]?.caller?.auditContext).toEqual({ ...author, requestId: 'r3' });
});

it('lets no more than sixteen wait for each other', async () => {
  const { log, creates } = writes();
  const db = database({ auditContext: author });
  await Promise.all(Array.from({ length: 40 }, (_item, id) => creates.add(db, 'shop', { id: String(id) })));
  expect(log.map(({ ids }) => ids.length)).toEqual([16, 16, 8]);
});

it('asks again for each alone when the database refuses them together', async () => {
  const { log, creates } = writes((ids) => (ids.includes('bad') ? refused : undefined));
  const db = database({ auditContext: { ...author, requestId: 'r1' } });
  const results = await Promise.allSettled(['good', 'bad'].map((id) => creates.add(db, 'shop', { id })));
  expect(results).toEqual([
    { status: 'fulfilled', value: true },
    { status: 'rejected', reason: refused },
  ]);
  expect(log.map(({ ids }) => ids)).toEqual([['good', 'bad'], ['good'], ['bad']]);
  expect(log[1]?.caller?.auditContext).toEqual({ ...author, requestId: 'r1' });
});

it('asks again for each alone when the time of one was over before they were asked for', async () => {
  const { log, creates } = writes((ids) => (ids.includes('late') ? createTimeoutError() : undefined));
  const db = database({ auditContext: author });
  const results = await Promise.allSettled(['in time', 'late'].map((id) => creates.add(db, 'shop', { id })));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(log.map(({ ids }) => ids)).toEqual([['in time', 'late'], ['in time'], ['late']]);
});

it('never asks again for what may have happened', async () => {
  const lost = Object.assign(new Error('Connection terminated unexpectedly'));
  const fatal = Object.assign(new Error('terminating connection'), { severity: 'FATAL', code: '57P01' });
  for (const error of [lost, fatal]) {
    const { log, creates } = writes(() => error);
    const db = database({ auditContext: author });
    const results = await Promise.allSettled(['a', 'b'].map((id) => creates.add(db, 'shop', { id })));
    expect(results.map((result) => result.status === 'rejected' && result.reason)).toEqual([error, error]);
    expect(log).toHaveLength(1);
  }
});

it('is called off when the time of one of them is over', async () => {
  const { log, creates } = writes();
  const db = database();
  const deadlines = [1, 2].map(() => {
    const waiting: (() => Promise<unknown>)[] = [];
    const deadline: Deadline & { expired: boolean } = {
      expired: false,
      onExpired(callOff) {
        waiting.push(callOff);
        return async () => void waiting.splice(waiting.indexOf(callOff), 1);
      },
    };
    return { deadline, waiting };
  });
  await Promise.all(
    deadlines.map(({ deadline }, id) =>
      creates.add(db.withContext({ auditContext: author, deadline }), 'shop', { id: String(id) }),
    ),
  );
  const shared = log[0]?.caller?.deadline;
  expect(shared?.expired).toBe(false);
  let calledOff = 0;
  const leave = shared?.onExpired(async () => {
    calledOff += 1;
  });
  await deadlines[1]?.waiting[0]?.();
  expect(calledOff).toBe(1);
  for (const each of deadlines) each.deadline.expired = true;
  expect(shared?.expired).toBe(true);
  await leave?.();
  expect(deadlines.map(({ waiting }) => waiting.length)).toEqual([0, 0]);
});
