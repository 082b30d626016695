/** Operations in the database. */
import type { Queries } from '../../db/sql.ts';
import { isId } from '../../lib/ids.ts';
import { type StoredBulk, toStored } from './model.ts';

export async function findStored({ prisma }: Queries, id: string): Promise<StoredBulk | undefined> {
  const found = isId(id) ? await prisma.bulkOperation.findUnique({ where: { id } }) : null;
  return found ? toStored(found) : undefined;
}
