/** Email address in `cart.abandoned`: only with the consent of the owner, and erased with their account. */
import { expect, it } from 'vitest';
import { emitAbandonedCartEvents } from '../../src/domains/carts/emit-abandoned-cart-events.ts';
import { eraseUsersJob } from '../../src/domains/users/privacy/erase-users.ts';
import { now } from '../../src/lib/time.ts';
import { createAccount, uniqueEmail, validPassword } from '../support/accounts.ts';
import type { Person } from '../support/app.ts';
import { call, shop, shopper, t } from './setup.ts';

const emailsOf = async ({ userId }: Person) =>
  (
    await t.db.sql<{ email: string | null }>(
      `select data ->> 'email' as email from webhook_events
       where type = 'cart.abandoned' and data ->> 'customerId' = $1 and business_id = $2`,
      [userId, shop.businessId],
    )
  ).map(({ email }) => email);

it('is in the event only with consent, and erased with the account', async () => {
  await t.rest('POST', `/v1/businesses/${shop.businessId}/webhooks`, {
    as: shop.admin,
    body: { url: 'https://hooks.example/', events: ['cart.*'] },
  });
  const [silent, willing] = [await shopper(), await shopper(createAccount(t))];
  const email = uniqueEmail();
  await call(silent, 'PUT', '/me', { email: uniqueEmail() });
  await call(willing, 'PUT', '/me', { email, marketingConsent: true });
  await t.db.write('update carts set updated_at = $1 where business_id = $2', [
    now() - 86_401,
    shop.businessId,
  ]);
  await emitAbandonedCartEvents(t.app.services);
  expect([await emailsOf(silent), await emailsOf(willing)]).toEqual([[null], [email]]);
  await t.rest('POST', '/v1/users/me/delete', { as: willing, body: { password: validPassword } });
  await eraseUsersJob.run(t.app.services, {});
  expect(await emailsOf(willing)).toEqual([null]);
});
