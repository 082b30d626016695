/** Registers the uploaded files with the storage quota of a business. */
import { registerStoredBytesCounter } from '../shared/storage-and-record-quotas.ts';

// Files count with their declared size from the creation of the form, until they are deleted.
registerStoredBytesCounter(async ({ prisma }, businessId) => {
  const { _sum: sum } = await prisma.mediaFile.aggregate({ where: { businessId }, _sum: { size: true } });
  return sum.size ?? 0;
});
