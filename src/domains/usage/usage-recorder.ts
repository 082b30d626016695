/** Counts API calls in memory and writes them in batches, one statement at a time. A killed process loses up to ten seconds of counts. */
import type { QueryHandle } from '../../db/index.ts';
import { isId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import type { Logger } from '../../log.ts';
import type { ObservedUse, UsageRecorder, UsageSubject } from '../../ports/usage.ts';
import { buildUsageKey, type UsageCount, writeUsageCounts } from './write-usage-counts.ts';

const writeEveryMs = 10_000;
/** Small enough not to block the event loop with the embedded database, which runs in this process. */
const rowsPerWrite = 1000;

export function createUsageRecorder(db: QueryHandle, log: Logger, limits?: UsageTallyLimits): UsageRecorder {
  const tally = new UsageTally(limits);
  const pending = new Map<string, UsageCount>();
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function writeBatch(): Promise<void> {
    const time = now();
    tally.drainTo(pending, time - (time % 86_400));
    const batch = [...pending].slice(0, rowsPerWrite);
    if (batch.length === 0) return;
    for (const [key] of batch) pending.delete(key);
    try {
      await writeUsageCounts(
        db,
        batch.map(([, count]) => count),
        time,
      );
    } catch (error) {
      for (const [, count] of batch) addUsageCount(pending, count);
      throw error;
    }
  }
  const write = () => {
    writing = writing
      .then(writeBatch)
      .catch((error: unknown) => log.warn({ err: error }, 'usage counts not written, will be retried'));
    return writing;
  };

  function recordKeyUse(userId: string, keyId: string, { subject, businessIds }: ObservedUse): void {
    const ids = [...businessIds()].map((id) => (typeof id === 'string' && isId(id) ? id.toLowerCase() : ''));
    for (const businessId of new Set(ids.length > 0 ? ids : ['']))
      tally.record(
        `${userId}\0${businessId}\0${keyId}`,
        () => ({ client: keyId, userId, businessId }),
        subject,
      );
  }

  return {
    record({ clientName, observed: { user }, uses }) {
      for (const use of uses)
        if (user?.keyId === undefined) {
          const client = clientName ?? 'unknown';
          tally.record(client, () => ({ client, userId: '', businessId: '' }), use.subject);
        } else recordKeyUse(user.userId, user.keyId, use);
    },
    flush: write,
    start() {
      timer ??= setInterval(write, writeEveryMs).unref();
    },
    async stop() {
      clearInterval(timer);
      timer = undefined;
      let remaining: number;
      do {
        remaining = pending.size;
        await write();
      } while (pending.size > 0 && pending.size < (remaining || Number.POSITIVE_INFINITY));
    },
  };
}

interface UsageClient {
  client: string;
  userId: string;
  businessId: string;
}

interface UsageTallyLimits {
  /** Maximum of pairs of client and operation or route between two writes. */
  pairs: number;
  /** Maximum of new rows per day, for API keys and for client names each. */
  rowsPerDay: number;
  /** Maximum of these rows for the API keys of one user, or for one client name. */
  rowsPerClient: number;
}

const defaultLimits: UsageTallyLimits = { pairs: 2000, rowsPerDay: 20_000, rowsPerClient: 4000 };

/** Aggregate for counts beyond the limits. */
const otherClients: UsageClient = { client: 'other', userId: '', businessId: '' };
const anyOperation: UsageSubject = { kind: 'OPERATION', name: 'other', fields: [] };

/** In-memory counts of one process between two writes. Bounded, because clients choose their names: excess counts are aggregated as `other`. */
export class UsageTally {
  readonly #limits: UsageTallyLimits;
  #counts = new Map<string, { client: UsageClient; uses: Map<UsageSubject, number> }>();
  #pairs = 0;
  #day = 0;
  readonly #rowKeys = new Set<string>();
  readonly #rowsByGroup = new Map<string, number>();

  constructor(limits: UsageTallyLimits = defaultLimits) {
    this.#limits = limits;
  }

  /** `key` identifies the client; `clientOf` is called once per key. */
  record(key: string, clientOf: () => UsageClient, use: UsageSubject): void {
    const entry = this.#counts.get(key);
    const calls = entry?.uses.get(use);
    if (entry && calls !== undefined) entry.uses.set(use, calls + 1);
    else if (this.#pairs >= this.#limits.pairs) this.#countAsOther();
    else {
      this.#pairs += 1;
      if (entry) entry.uses.set(use, 1);
      else this.#counts.set(key, { client: clientOf(), uses: new Map([[use, 1]]) });
    }
  }

  #countAsOther(): void {
    const { uses } = this.#counts.get('other') ?? { uses: new Map<UsageSubject, number>() };
    uses.set(anyOperation, (uses.get(anyOperation) ?? 0) + 1);
    this.#counts.set('other', { client: otherClients, uses });
  }

  /** Adds all counts to `rows`, which wait to be written, and clears the tally. */
  drainTo(rows: Map<string, UsageCount>, day: number): void {
    if (day !== this.#day) {
      this.#day = day;
      this.#rowKeys.clear();
      this.#rowsByGroup.clear();
    }
    for (const { client, uses } of this.#counts.values())
      for (const [{ kind, name, fields }, calls] of uses) {
        this.#add(rows, { day, kind, name, ...client, calls });
        for (const field of fields) this.#add(rows, { day, kind: 'FIELD', name: field, ...client, calls });
      }
    this.#counts = new Map();
    this.#pairs = 0;
  }

  #add(rows: Map<string, UsageCount>, count: UsageCount): void {
    // Fields and routes are bounded by the schema; operation names are chosen by clients.
    const name = count.kind === 'OPERATION' ? anyOperation.name : count.name;
    addUsageCount(rows, this.#reserveRow(count) ? count : { ...count, ...otherClients, name });
  }

  #reserveRow(count: UsageCount): boolean {
    const key = buildUsageKey(count);
    if (this.#rowKeys.has(key)) return true;
    const { rowsPerDay, rowsPerClient } = this.#limits;
    const kindGroup = count.userId === '' ? 'names' : 'keys';
    const clientGroup = `${kindGroup} ${count.userId || count.client}`;
    const rowCount = (group: string) => this.#rowsByGroup.get(group) ?? 0;
    if (rowCount(kindGroup) >= rowsPerDay || rowCount(clientGroup) >= rowsPerClient) return false;
    this.#rowKeys.add(key);
    for (const group of [kindGroup, clientGroup]) this.#rowsByGroup.set(group, rowCount(group) + 1);
    return true;
  }
}

function addUsageCount(rows: Map<string, UsageCount>, count: UsageCount): void {
  const key = buildUsageKey(count);
  const calls = (rows.get(key)?.calls ?? 0) + count.calls;
  rows.set(key, { ...count, calls });
}
