/** Operations in the database. */
import type { Queries } from '../../db/sql.ts';
import { isId } from '../../lib/ids.ts';
import { activeStates, type StoredBulk, toStored } from './model.ts';

export async function findStored({ prisma }: Queries, id: string): Promise<StoredBulk | undefined> {
  const found = isId(id) ? await prisma.bulkOperation.findUnique({ where: { id } }) : null;
  return found ? toStored(found) : undefined;
}

const mostAtOnce = 100;

/** Those that go on by themselves, oldest first. */
export async function activeIds({ prisma }: Queries): Promise<string[]> {
  const found = await prisma.bulkOperation.findMany({
    where: { state: { in: [...activeStates] } },
    orderBy: { updatedAt: 'asc' },
    take: mostAtOnce,
    select: { id: true },
  });
  return found.map(({ id }) => id);
}
