/** Copies that were interrupted, or that another process still makes. */
import type { QueryHandle } from '../../db/handles.ts';

interface UnfinishedMove {
  businessId: string;
  source: string;
  target: string;
}

export const listUnfinishedMoves = ({ prisma }: QueryHandle): Promise<UnfinishedMove[]> =>
  prisma.businessMove.findMany({
    where: { step: { in: ['COPYING', 'REMOVING'] } },
    orderBy: { businessId: 'asc' },
    select: { businessId: true, source: true, target: true },
  });
