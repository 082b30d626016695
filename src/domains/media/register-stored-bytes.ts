/**
 * Registers the uploaded files with the storage quota of a business. Files count with their declared size from the creation of the upload
 * form, until they are deleted.
 */
import { registerStoredBytesCounter } from '../shared/storage-and-record-quotas.ts';

registerStoredBytesCounter(async ({ prisma }, businessId) => {
  const { _sum: sum } = await prisma.mediaFile.aggregate({ where: { businessId }, _sum: { size: true } });
  return sum.size ?? 0;
});
