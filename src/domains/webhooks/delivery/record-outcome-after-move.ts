/** A business may be moved while its delivery is in flight: its outcome is recorded on the server that has the business then. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../../../context.ts';
import { classifyDbError } from '../../../db/index.ts';

/** Writes of a business are paused for at most ten seconds while it is moved. */
const maxFencedAttempts = 40;
const fencedRetryMs = 500;

/** Calls `record` again as long as a write fence rejects its writes. */
export async function onServerOfBusiness(
  services: Services,
  businessId: string,
  record: (services: Services) => Promise<void>,
): Promise<void> {
  const { servers } = services;
  for (let attempt = 1; ; attempt += 1)
    try {
      return await record(servers ? await servers.servicesOfBusiness(businessId) : services);
    } catch (error) {
      if (classifyDbError(error)?.kind !== 'writeFenced' || attempt === maxFencedAttempts) throw error;
      servers?.forgetServerOfBusiness(error);
      await sleep(fencedRetryMs);
    }
}
