/** Counts of failing and of disabled webhook endpoints, for operators. */
import type { Db } from '../../../db/index.ts';

/** `failing`: active endpoints whose last attempt failed. `disabled`: endpoints disabled because of failures or status 410. */
export async function countFailingAndDisabledEndpoints({
  prisma,
}: Pick<Db, 'prisma'>): Promise<{ failing: number; disabled: number }> {
  const { webhookEndpoint } = prisma;
  const [failing, disabled] = await Promise.all([
    webhookEndpoint.count({ where: { status: 'ACTIVE', failingSince: { not: null } } }),
    webhookEndpoint.count({ where: { status: 'DISABLED', disabledReason: { in: ['GONE', 'FAILING'] } } }),
  ]);
  return { failing, disabled };
}
