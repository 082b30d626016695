/** Job that emits `cart.abandoned` for carts unchanged for 24 hours, once per period of inactivity. */
import type { Services } from '../../context.ts';
import { buildWritableBusinessSql, type UntypedRow } from '../../db/index.ts';
import { now } from '../../lib/time.ts';
import { defineJob, noJobDataSchema } from '../../ports/jobs.ts';
import { runStatementAndEmitWebhookEvents } from '../webhooks/emit-events.ts';
import { cartTable, type StoredCart } from './model.ts';

const inactiveSeconds = 86_400;
const batchSize = 100;

const inactiveStatement = `select ${cartTable.columns} from ${cartTable.from}
  where c.abandoned_at is null and c.updated_at < $1 and c.lines <> '[]'::jsonb
    and ${buildWritableBusinessSql('c.business_id')} order by c.updated_at limit ${batchSize}`;

// The version condition skips carts that changed since they were read.
const markStatement = `update carts set abandoned_at = $1 where id = $2 and business_id = $4 and version = $3 and abandoned_at is null returning id`;

export async function emitAbandonedCartEvents(
  services: Pick<Services, 'db' | 'jobs' | 'log'>,
): Promise<void> {
  for (;;) {
    const rows = await services.db.sql<UntypedRow>(inactiveStatement, [now() - inactiveSeconds]);
    for (const cart of rows.map((row) => cartTable.read(row)))
      await runStatementAndEmitWebhookEvents(services, services.db, {
        statement: markStatement,
        params: [now(), cart.id, cart.version, cart.businessId],
        businessId: cart.businessId,
        events: [{ type: 'cart.abandoned', data: toEventData(cart) }],
      });
    if (rows.length < batchSize) return;
  }
}

/** Contains the email address only with consent: receivers use it for reminders, which are advertising. */
const toEventData = ({
  id,
  businessId,
  customerId,
  market,
  lines,
  updatedAt,
  version,
  email,
  marketingConsent,
}: StoredCart) => ({
  id,
  businessId,
  customerId,
  market,
  lines: lines.map(({ productId, variantId, quantity }) => ({ productId, variantId, quantity })),
  updatedAt,
  version,
  ...(marketingConsent && email !== undefined ? { email } : {}),
});

export const emitAbandonedCartEventsJob = defineJob(
  'abandoned-carts',
  noJobDataSchema,
  emitAbandonedCartEvents,
  { cron: '*/10 * * * *', retries: 0, timeout: 300 },
);
