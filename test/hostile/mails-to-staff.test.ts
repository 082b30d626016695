/** Mails that staff can cause to other people by a role or a change of stock, and that an account can cause to itself. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { addProduct, createSellingShop, type SellingShop } from '../support/shop-fixtures.ts';

let t: TestApp;
let shop: SellingShop;
beforeAll(async () => {
  t = await testApp();
  shop = await createSellingShop(t);
});

async function subjectsTo(userId: string): Promise<string[]> {
  await t.app.drainJobs();
  const { email } = await t.db.prisma.user.findUniqueOrThrow({
    where: { id: userId },
    select: { email: true },
  });
  return (await t.outbox(email ?? '')).map(({ subject }) => subject ?? '');
}

describe('mails about low stock', () => {
  it('are not sent to a person who was only given a role, and are limited per hour', async () => {
    const stranger = await t.person();
    const given = await t.rest('PUT', '/v1/users/set-role', {
      as: shop.admin,
      body: { userId: stranger.userId, roleId: shop.roles.ADMIN },
    });
    expect(given.status).toBe(200);
    const cup = await addProduct(t, shop, { stock: 5, low: 4, name: 'Confirm your account at evil.example' });
    for (let n = 0; n < 62; n += 1) {
      const { status } = await t.rest('POST', shop.orders, {
        as: shop.admin,
        body: { market: 'US', lines: [{ ...cup, quantity: 1 }] },
      });
      expect(status).toBe(200);
      await t.db.write('update variants set quantity = 5 where id = $1', [cup.variantId]);
    }
    expect(await subjectsTo(stranger.userId)).not.toContain('Stock is running low');
    expect(await subjectsTo(shop.admin.userId)).toEqual(
      Array.from({ length: 60 }, () => 'Stock is running low'),
    );
  });
});

describe('mails about new API keys', () => {
  it('are limited per hour', async () => {
    const as = await t.person();
    for (let n = 0; n < 3; n += 1) {
      const apiTokens = Array.from({ length: 20 }, (_, k) => ({
        name: 'k',
        value: `${'x'.repeat(24)}-${n}-${k}`,
      }));
      const { status } = await t.rest('PUT', '/v1/users/update', { as, body: { apiTokens } });
      expect(status).toBe(200);
    }
    expect((await subjectsTo(as.userId)).length).toBe(50);
  });
});
