/**
 * Batches inserts of one kind of record by the same actor in one tick of the event loop: one statement writes them all, at little more
 * than half the cost per record. If the database rejects the batch, each record is inserted by a statement of its own.
 */
import { AsyncResource } from 'node:async_hooks';
import { type Deadline, isTimeoutError } from '../../lib/async/deadline.ts';
import type { AuditContext } from '../audit-context.ts';
import { isRejectedByDbServer } from '../classify-db-errors.ts';
import type { Db, QueryHandle } from '../handles.ts';
import { PerTickMap, runAtTickEnd } from './tick-batching.ts';

interface InsertItem {
  /** Id of the record. */
  readonly id: string;
}

/** Inserts the items in one statement and returns the ids of those that were inserted. */
type Write<Item> = (on: QueryHandle, items: readonly Item[]) => Promise<ReadonlySet<string>>;

interface PendingInsert<Item> {
  db: Db;
  item: Item;
  settle(inserted: Promise<boolean>): void;
}

/** Records per statement: larger batches gain nothing and delay each other. */
const maxBatchedInserts = 16;

/** Without a destroy hook: otherwise V8 retains the resource and all records to insert until the next major GC. */
const withoutDestroyHook = { requireManualDestroy: true };

export class BatchedInserts<Item extends InsertItem> {
  readonly #write: Write<Item>;
  readonly #pending = new PerTickMap<PendingInsert<Item>[]>();

  constructor(write: Write<Item>) {
    this.#write = write;
  }

  /** Resolves to whether the record was inserted. Only records of the same `owner` share a statement, so that owners do not delay each other. */
  add(db: Db, owner: string, item: Item): Promise<boolean> {
    if (!db.batching) return this.#write(db, [item]).then((insertedIds) => insertedIds.has(item.id));
    const { actor, userId, keyId, protocol } = db.queryContext.auditContext;
    const pending = this.#pending.getOrCreate(db, owner, [actor, userId, keyId, protocol], () => {
      const batch: PendingInsert<Item>[] = [];
      const resource = new AsyncResource('BatchedInserts', withoutDestroyHook);
      runAtTickEnd(() => resource.runInAsyncScope(() => this.#writeAll(batch)));
      return batch;
    });
    return new Promise((settle) => pending.push({ db, item, settle }));
  }

  #writeAll(pending: readonly PendingInsert<Item>[]): void {
    for (let start = 0; start < pending.length; start += maxBatchedInserts)
      this.#writeGroup(pending.slice(start, start + maxBatchedInserts));
  }

  #writeGroup(group: readonly PendingInsert<Item>[]): void {
    const items = group.map(({ item }) => item);
    const insertedIds = this.#write(batchHandle(group), items);
    const outcome = async ({ db, item }: PendingInsert<Item>): Promise<boolean> => {
      try {
        return (await insertedIds).has(item.id);
      } catch (error) {
        if (group.length === 1 || !(isRejectedByDbServer(error) || isTimeoutError(error))) throw error;
        return (await this.#write(db, [item])).has(item.id);
      }
    };
    for (const insert of group) insert.settle(outcome(insert));
  }
}

/**
 * Handle for a batch: the audit log receives the request id by record. When the first deadline expires the statement is cancelled,
 * and the other records are inserted one by one.
 */
function batchHandle<Item extends InsertItem>(group: readonly PendingInsert<Item>[]): QueryHandle {
  const [first, ...others] = group;
  if (!first) throw new Error('The batch of inserts is empty.');
  const auditContext = first.db.queryContext.auditContext;
  if (others.length === 0) return first.db;
  const requestIdByRecord: Record<string, string | undefined> = {};
  for (const { db, item } of group) requestIdByRecord[item.id] = db.queryContext.auditContext.requestId;
  const batchContext: AuditContext = { requestIdByRecord, ...auditContext, requestId: undefined };
  return first.db.withContext({
    auditContext: batchContext,
    share: first.db.queryContext.share,
    deadline: new EarliestDeadline(group.flatMap(({ db }) => db.queryContext.deadline ?? [])),
  });
}

class EarliestDeadline implements Deadline {
  readonly #deadlines: readonly Deadline[];

  constructor(deadlines: readonly Deadline[]) {
    this.#deadlines = deadlines;
  }

  get expired(): boolean {
    return this.#deadlines.some(({ expired: over }) => over);
  }

  externalCallMs(): number {
    return Math.min(...this.#deadlines.map((deadline) => deadline.externalCallMs()));
  }

  onExpired(cancel: () => Promise<unknown>): () => Promise<void> {
    const unsubscribes = this.#deadlines.map((deadline) => deadline.onExpired(cancel));
    return async () => {
      await Promise.all(unsubscribes.map((unsubscribe) => unsubscribe()));
    };
  }
}
