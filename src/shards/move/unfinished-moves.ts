/** Moves and copies that were interrupted, or that another process still makes. */
import type { QueryHandle } from '../../db/handles.ts';
import { unfinishedMoveSteps } from './move-record.ts';

export interface UnfinishedMove {
  businessId: string;
  source: string;
  target: string;
  /** The target has the business already: the move can only be finished. */
  isSwitched: boolean;
}

export async function listUnfinishedMoves(
  { prisma }: QueryHandle,
  businessId?: string,
): Promise<UnfinishedMove[]> {
  const moves = await prisma.businessMove.findMany({
    where: { step: { in: [...unfinishedMoveSteps] }, ...(businessId === undefined ? {} : { businessId }) },
    orderBy: { businessId: 'asc' },
    select: { businessId: true, source: true, target: true, step: true },
  });
  return moves.map(({ step, ...move }) => ({ ...move, isSwitched: step === 'SWITCHED' }));
}
