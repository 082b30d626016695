/** Quota of stored files per business. Each domain that stores files registers how many bytes a business has stored there. */
import type { Services } from '../../context.ts';
import { type QueryHandle, takeAdvisoryLock } from '../../db/index.ts';
import { forbiddenError } from '../../errors.ts';

export type CountStoredBytes = (queries: QueryHandle, businessId: string) => Promise<number>;

const counters: CountStoredBytes[] = [];

export function registerStoredBytes(counter: CountStoredBytes): void {
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
