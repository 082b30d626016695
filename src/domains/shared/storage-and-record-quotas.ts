/** Quotas of stored files and of records per business. Each domain that stores files registers how many bytes a business has stored there. */
import type { Services } from '../../context.ts';
import { type QueryHandle, takeAdvisoryLock } from '../../db/index.ts';
import { forbiddenError } from '../../errors.ts';

type CountStoredBytes = (queries: QueryHandle, businessId: string) => Promise<number>;

const counters: CountStoredBytes[] = [];

export function registerStoredBytesCounter(counter: CountStoredBytes): void {
  counters.push(counter);
}

const bytesPerMegabyte = 1024 * 1024;

/** Call it before adding `bytes`, in the transaction that records them: the lock makes concurrent requests count each other. */
export async function assertWithinStorageQuota(
  { config: { quotas } }: Pick<Services, 'config'>,
  tx: QueryHandle,
  businessId: string,
  bytes: number,
): Promise<void> {
  const { storageMegabytes } = quotas;
  if (storageMegabytes === Number.POSITIVE_INFINITY) return;
  await takeAdvisoryLock(tx, `storage:${businessId}`);
  let stored = 0;
  for (const counter of counters) stored += await counter(tx, businessId);
  if (stored + bytes <= storageMegabytes * bytesPerMegabyte) return;
  throw forbiddenError(
    `The files of a business may take ${storageMegabytes} MB. Delete files that are no longer used.`,
  );
}

/** Up to this quota records are counted before each insert; with a higher quota only before as many of `quota` inserts, chosen at random. */
const countsPerQuota = 1000;

/**
 * Wraps `insert`, which adds one record to the table. The lock, held until the end of the transaction, makes concurrent inserts count
 * each other. A large quota may be exceeded by about a thousandth, because counting a million rows for each insert would be slow.
 */
export const createQuotaCheckedInsert =
  <Result>(
    { config: { quotas } }: Pick<Services, 'config'>,
    table: string,
    businessId: string,
    insert: (queries: QueryHandle) => Promise<Result>,
  ) =>
  (queries: QueryHandle): Promise<Result> => {
    const { recordsPerBusiness } = quotas;
    if (Math.random() * recordsPerBusiness >= countsPerQuota) return insert(queries);
    return queries.transaction(async (tx) => {
      await takeAdvisoryLock(tx, `records:${table}:${businessId}`);
      const last = await tx.sql(`select 1 from ${table} where business_id = $1 offset $2 limit 1`, [
        businessId,
        recordsPerBusiness - 1,
      ]);
      if (last.length === 0) return insert(tx);
      throw forbiddenError(
        `A business may have at most ${recordsPerBusiness} ${table.replaceAll('_', ' ')}.`,
      );
    });
  };
