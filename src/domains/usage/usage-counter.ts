/** Counts calls in memory and writes them in batches, one statement at a time. A process that is killed loses the last seconds. */
import type { Queries } from '../../db/handles.ts';
import { isId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import type { Logger } from '../../log.ts';
import type { UsageRecorder } from '../../ports/usage.ts';
import { addUsageCount, type TallyLimits, type UsageCount, UsageTally } from './usage-tally.ts';
import { writeUsageCounts } from './write-usage.ts';

const writeEveryMs = 10_000;
/** So few that the embedded database, which works in this process, stops nobody. */
const rowsPerWrite = 1000;

export function createUsageCounter(db: Queries, log: Logger, bounds?: TallyLimits): UsageRecorder {
  const tally = new UsageTally(bounds);
  const waiting = new Map<string, UsageCount>();
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function writeSome(): Promise<void> {
    const time = now();
    tally.drainTo(waiting, time - (time % 86_400));
    const batch = [...waiting].slice(0, rowsPerWrite);
    if (batch.length === 0) return;
    for (const [key] of batch) waiting.delete(key);
    try {
      await writeUsageCounts(
        db,
        batch.map(([, counted]) => counted),
        time,
      );
    } catch (error) {
      for (const [, counted] of batch) addUsageCount(waiting, counted);
      throw error;
    }
  }
  const write = () => {
    writing = writing
      .then(writeSome)
      .catch((error: unknown) => log.warn({ err: error }, 'usage was not written'));
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
      const named = [...businessesOf()].map((id) =>
        typeof id === 'string' && isId(id) ? id.toLowerCase() : '',
      );
      for (const businessId of new Set(named.length > 0 ? named : ['']))
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
      let left: number;
      do {
        left = waiting.size;
        await write();
      } while (waiting.size > 0 && waiting.size < (left || Number.POSITIVE_INFINITY));
    },
  };
}
