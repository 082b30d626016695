/** `orderByLink`: a page of the shop shows the order of a mailed link. */
import { expect, it } from 'vitest';
import { uniqueEmail } from '../support/accounts.ts';
import { guestOrder, other, shop, t } from './guest-setup.ts';

const page = 'http://shop.test/orders?from=mail';

const setOrderUrl = (orderUrl: string | null) =>
  t.rest('PATCH', `/v1/businesses/${shop.businessId}/branding`, { as: shop.admin, body: { orderUrl } });

const linkIn = async (email: string) =>
  new URL(/http:\S+token=\S+/.exec((await t.outbox(email)).at(-1)?.text ?? '')?.[0] ?? '');

const read = (token: string, businessId = shop.businessId) =>
  t.rest<Record<string, unknown>>('GET', `/v1/businesses/${businessId}/order-links/${token}`);

it('returns the order without an account, and without addresses', async () => {
  expect((await setOrderUrl(page)).body).toMatchObject({ orderUrl: page });
  const email = uniqueEmail();
  const { id } = await guestOrder(email);
  const link = await linkIn(email);
  expect(link.href).toMatch(/^http:\/\/shop\.test\/orders\?from=mail&token=/);
  const token = link.searchParams.get('token') ?? '';
  const { status, body } = await read(token);
  expect([status, body.orderId, body.businessId]).toEqual([200, id, shop.businessId]);
  expect(JSON.stringify(body)).not.toContain(email);
  expect(Object.keys(body)).not.toEqual(expect.arrayContaining([expect.stringMatching(/address|contact/i)]));
  const query = `query ($b: ID!, $token: String!) { orderByLink(businessId: $b, token: $token) {
    number status currentPaymentStatus lines { name quantity totalPriceMoney { formatted } } totalMoney { formatted } fulfilments { carrier } } }`;
  const { data, errors } = await t.graphql(query, { b: shop.businessId, token });
  expect([errors, data]).toMatchObject([
    [],
    { orderByLink: { number: body.number, status: body.status, lines: [{ quantity: 1 }], fulfilments: [] } },
  ]);
});

it('is 404 for a link that is forged, of another business or revoked', async () => {
  const email = uniqueEmail();
  const { id } = await guestOrder(email);
  const token = (await linkIn(email)).searchParams.get('token') ?? '';
  expect((await read(token)).status).toBe(200);
  expect((await read(`${token.slice(0, -4)}AAAA`)).status).toBe(404);
  expect((await read(token, other.businessId)).status).toBe(404);
  await t.rest('POST', `${shop.orders}/${id}/revoke-links`, { as: shop.admin });
  expect((await read(token)).status).toBe(404);
});

it('is on the page of the gateway again without `orderUrl`, which is on an allowed origin only', async () => {
  expect((await setOrderUrl('https://evil.example/')).status).toBe(422);
  await setOrderUrl(null);
  const email = uniqueEmail();
  await guestOrder(email);
  expect((await linkIn(email)).pathname).toBe('/orders/view');
});
