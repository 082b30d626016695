/** The latest mails and texts that the embedded ports kept. */
import type { Db } from '../../db/sql.ts';

export const listOutbox = ({ prisma }: Db, count: number) =>
  prisma.outboxMessage.findMany({ orderBy: { id: 'desc' }, take: count });
