/**
 * New records of one kind that the same author asks for in one turn of the event loop: one statement writes them all, and costs
 * each of them little more than half. What the database refuses it refuses as a whole; then everybody asks alone.
 */
import { AsyncResource } from 'node:async_hooks';
import { type Deadline, isTimeoutError } from '../../lib/async/deadline.ts';
import type { AuditContext } from '../audit-context.ts';
import { isRejectedByServer } from '../errors.ts';
import type { Db, Queries } from '../handles.ts';
import { runAtTickEnd, TickMap } from './tick-batching.ts';

interface Item {
  /** The record's. */
  readonly id: string;
}

/** Writes, in one statement, those that can be written, and returns their ids. */
type Write<Of> = (on: Queries, items: readonly Of[]) => Promise<ReadonlySet<string>>;

interface Wanted<Of> {
  db: Db;
  item: Of;
  settle(written: Promise<boolean>): void;
}

/** More would gain nothing, and have to wait for each other. */
const maxTogether = 16;

/** Nobody waits for its end: otherwise V8 keeps it, with all that is to be written, until it next looks through the whole memory. */
const unwatched = { requireManualDestroy: true };

export class BatchedInserts<Of extends Item> {
  readonly #write: Write<Of>;
  readonly #wanted = new TickMap<Wanted<Of>[]>();

  constructor(write: Write<Of>) {
    this.#write = write;
  }

  /** Whether it was written. Only records of the same `owner` are written together: nobody waits for what a stranger does. */
  add(db: Db, owner: string, item: Of): Promise<boolean> {
    const { actor, userId, keyId, protocol: voice } = db.queryContext?.auditContext ?? {};
    const wanted = this.#wanted.getOrCreate(db, owner, [actor, userId, keyId, voice], () => {
      const begun: Wanted<Of>[] = [];
      const here = new AsyncResource('WritesOfTurn', unwatched);
      runAtTickEnd(() => here.runInAsyncScope(() => this.#writeAll(begun)));
      return begun;
    });
    return new Promise((settle) => wanted.push({ db, item, settle }));
  }

  #writeAll(wanted: readonly Wanted<Of>[]): void {
    for (let at = 0; at < wanted.length; at += maxTogether)
      this.#writeGroup(wanted.slice(at, at + maxTogether));
  }

  #writeGroup(group: readonly Wanted<Of>[]): void {
    const items = group.map(({ item }) => item);
    const written = this.#write(onBehalfOf(group), items);
    const outcome = async ({ db, item }: Wanted<Of>): Promise<boolean> => {
      try {
        return (await written).has(item.id);
      } catch (error) {
        if (group.length === 1 || !(isRejectedByServer(error) || isTimeoutError(error))) throw error;
        return (await this.#write(db, [item])).has(item.id);
      }
    };
    for (const each of group) each.settle(outcome(each));
  }
}

/** The history tells their requests apart by their records; when the time of one is over, the others ask alone. */
function onBehalfOf<Of extends Item>(group: readonly Wanted<Of>[]): Queries {
  const [first, ...others] = group;
  if (!first) throw new Error('There is nobody to write for.');
  const author = first.db.queryContext?.auditContext;
  if (others.length === 0 || !author) return first.db;
  const requests: Record<string, string | undefined> = {};
  for (const { db, item } of group) requests[item.id] = db.queryContext?.auditContext?.requestId;
  const shared: AuditContext = { requestIdByRecord: requests, ...author, requestId: undefined };
  return first.db.withContext({
    auditContext: shared,
    deadline: new Earliest(group.flatMap(({ db }) => db.queryContext?.deadline ?? [])),
  });
}

class Earliest implements Deadline {
  readonly #deadlines: readonly Deadline[];

  constructor(deadlines: readonly Deadline[]) {
    this.#deadlines = deadlines;
  }

  get expired(): boolean {
    return this.#deadlines.some(({ expired: over }) => over);
  }

  onExpired(callOff: () => Promise<unknown>): () => Promise<void> {
    const ends = this.#deadlines.map((deadline) => deadline.onExpired(callOff));
    return async () => {
      await Promise.all(ends.map((end) => end()));
    };
  }
}
