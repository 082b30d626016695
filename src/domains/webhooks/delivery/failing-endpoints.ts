/** What an operator should know of webhooks: whose receivers do not answer. */
import type { Db } from '../../../db/handles.ts';

/** Endpoints that have failed every attempt for a while, and those that were disabled for it. */
export async function countFailingEndpoints({
  prisma,
}: Pick<Db, 'prisma'>): Promise<{ failing: number; disabled: number }> {
  const { webhookEndpoint } = prisma;
  const [failing, disabled] = await Promise.all([
    webhookEndpoint.count({ where: { status: 'ACTIVE', failingSince: { not: null } } }),
    webhookEndpoint.count({ where: { status: 'DISABLED', disabledReason: { in: ['GONE', 'FAILING'] } } }),
  ]);
  return { failing, disabled };
}
