/** Counts API calls in memory and writes them in batches, one statement at a time. A killed process loses up to ten seconds of counts. */
import type { QueryHandle } from '../../db/index.ts';
import { isId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import type { Logger } from '../../log.ts';
import type { UsageRecorder } from '../../ports/usage.ts';
import { addUsageCount, type UsageCount, UsageTally, type UsageTallyLimits } from './usage-tally.ts';
import { writeUsageCounts } from './write-usage.ts';

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

  return {
    record({ viewer: { user }, request: { clientName } }, use, businessesOf) {
      if (user?.keyId === undefined) {
        const client = clientName ?? 'unknown';
        tally.record(client, () => ({ client, userId: '', businessId: '' }), use);
        return;
      }
      const { keyId, userId } = user;
      const businessIds = [...businessesOf()].map((id) =>
        typeof id === 'string' && isId(id) ? id.toLowerCase() : '',
      );
      for (const businessId of new Set(businessIds.length > 0 ? businessIds : ['']))
        tally.record(
          `${userId}\0${businessId}\0${keyId}`,
          () => ({ client: keyId, userId, businessId }),
          use,
        );
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
