/**
 * Conditions on the write fences of a server: which businesses it accepts writes of, and which live on another server. Without moves
 * the table is empty.
 */
import type { QueryHandle } from './handles.ts';

/**
 * The server accepts writes of this business: its rows are neither paused, nor a copy, nor remains of a move. Background work, whose
 * statements cover several businesses, leaves out the others, because one fenced row rejects the whole statement.
 */
export const buildWritableBusinessSql = (businessId: string): string =>
  `not exists (select from business_write_fences f where f.business_id = ${businessId}
    and (f.reason <> 'SNAPSHOT' or f.since > extract(epoch from clock_timestamp()) - 10))`;

/** The business is on this server by the directory, and not only its copy or its remains. For lookups on all servers. */
export const buildBusinessIsHereSql = (businessId: string): string =>
  `not exists (select from business_write_fences f where f.business_id = ${businessId} and f.reason = 'ELSEWHERE')`;

/** Those of the businesses of which this server has only a copy or remains. */
export async function findBusinessesElsewhere(
  { prisma }: QueryHandle,
  businessIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const fences = await prisma.businessWriteFence.findMany({
    where: { businessId: { in: [...businessIds] }, reason: 'ELSEWHERE' },
    select: { businessId: true },
  });
  return new Set(fences.map(({ businessId }) => businessId));
}
