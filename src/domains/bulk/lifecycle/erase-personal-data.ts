/** Files that name somebody who has gone are deleted, with their operations; those of others stay. */
import type { Services } from '../../../context.ts';
import { type ErasedPerson, registerEraser } from '../../shared/erasure.ts';
import { finalBulkStates, type StoredBulkOperation, toStoredBulkOperation } from '../model.ts';

const batch = 100;

async function erase({ db, media }: Services, { userId, contacts, goneAt }: ErasedPerson): Promise<void> {
  const words = [userId, ...contacts];
  for (let after: string | undefined; ; ) {
    const found = await db.prisma.bulkOperation.findMany({
      where: {
        resource: { in: ['ORDERS', 'SUBSCRIBERS'] },
        state: { in: [...finalBulkStates] },
        createdAt: { lte: Math.ceil(goneAt.getTime() / 1000) },
        ...(after === undefined ? {} : { id: { gt: after } }),
      },
      orderBy: { id: 'asc' },
      take: batch,
    });
    for (const operation of found.map(toStoredBulkOperation)) {
      if (!(await isNamed(media, operation, words))) continue;
      await media.removeAll(`${operation.businessId}/${operation.id}`);
      await db.prisma.bulkOperation.deleteMany({ where: { id: operation.id } });
    }
    after = found.at(-1)?.id;
    if (found.length < batch) return;
  }
}

async function isNamed(
  media: Services['media'],
  { inputKey, parts }: StoredBulkOperation,
  words: readonly string[],
) {
  for (const key of [...(inputKey === null ? [] : [inputKey]), ...parts.map((part) => part.key)]) {
    const file = await media.get(key);
    if (file && (await mentions(file as AsyncIterable<Buffer>, words))) return true;
  }
  return false;
}

/** Read piece by piece: the end of each is looked at again with the next, for a word that was cut. */
async function mentions(file: AsyncIterable<Buffer>, words: readonly string[]): Promise<boolean> {
  const longest = Math.max(...words.map((word) => Buffer.byteLength(word)));
  let before = Buffer.alloc(0);
  for await (const chunk of file) {
    const bytes = Buffer.concat([before, chunk]);
    const text = bytes.toString().toLowerCase();
    if (words.some((word) => text.includes(word))) return true;
    before = Buffer.from(bytes.subarray(Math.max(0, bytes.length - longest)));
  }
  return false;
}

registerEraser(erase);
