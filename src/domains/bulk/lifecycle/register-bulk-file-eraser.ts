/** Eraser: deletes operations whose files contain the id, email address or phone number of a deleted user. */
import type { Services } from '../../../context.ts';
import {
  type ErasedPerson,
  registerPersonalDataEraser,
} from '../../shared/personal-data/personal-data-eraser-registry.ts';
import { finalBulkStates, type StoredBulkOperation, toStoredBulkOperation } from '../model.ts';

const batchSize = 100;

async function erasePersonFromFiles(
  { db, media }: Services,
  { userId, contacts, goneAt }: ErasedPerson,
): Promise<void> {
  const searchTerms = [userId, ...contacts];
  for (let after: string | undefined; ; ) {
    const rows = await db.prisma.bulkOperation.findMany({
      where: {
        resource: { in: ['ORDERS', 'SUBSCRIBERS'] },
        state: { in: [...finalBulkStates] },
        createdAt: { lte: Math.ceil(goneAt.getTime() / 1000) },
        ...(after === undefined ? {} : { id: { gt: after } }),
      },
      orderBy: { id: 'asc' },
      take: batchSize,
    });
    for (const operation of rows.map(toStoredBulkOperation)) {
      if (!(await containsPerson(media, operation, searchTerms))) continue;
      await media.removeAll(`${operation.businessId}/${operation.id}`);
      await db.prisma.bulkOperation.deleteMany({ where: { id: operation.id } });
    }
    after = rows.at(-1)?.id;
    if (rows.length < batchSize) return;
  }
}

async function containsPerson(
  media: Services['media'],
  { inputKey, parts }: StoredBulkOperation,
  searchTerms: readonly string[],
) {
  for (const key of [...(inputKey === null ? [] : [inputKey]), ...parts.map((part) => part.key)]) {
    const file = await media.get(key);
    if (file && (await containsAny(file as AsyncIterable<Buffer>, searchTerms))) return true;
  }
  return false;
}

/** Streams the file. The end of each chunk is searched again with the next one, for terms that span both. */
async function containsAny(file: AsyncIterable<Buffer>, searchTerms: readonly string[]): Promise<boolean> {
  const longest = Math.max(...searchTerms.map((term) => Buffer.byteLength(term)));
  let tail = Buffer.alloc(0);
  for await (const chunk of file) {
    const bytes = Buffer.concat([tail, chunk]);
    const text = bytes.toString().toLowerCase();
    if (searchTerms.some((term) => text.includes(term))) return true;
    tail = Buffer.from(bytes.subarray(Math.max(0, bytes.length - longest)));
  }
  return false;
}

registerPersonalDataEraser(erasePersonFromFiles);
