/** Orders of guests: a link by number and address, and the claim by an account that confirms the address. */
import { describe, expect, it } from 'vitest';
import { eraseUsersJob } from '../../src/domains/users/privacy/erase-users.ts';
import {
  createAccount,
  registerConfirmedAccount,
  signIn,
  uniqueEmail,
  validPassword,
} from '../support/accounts.ts';
import type { Person } from '../support/app.ts';
import { detailErrors } from '../support/shop-fixtures.ts';
import { guestOrder, latestLink, openLink, other, readOrder, shop, t } from './guest-setup.ts';

const accountOf = async (email: string) => signIn(t, await registerConfirmedAccount(t, email));

const lookup = (body: Record<string, unknown>, orders = shop.orders, address = '198.51.100.1') =>
  t.rest('POST', `${orders}/lookup`, { body, headers: { 'x-forwarded-for': address } });

describe('the lookup of an order', () => {
  it('mails the link to the stored address when number and address match', async () => {
    const { id, email } = await guestOrder();
    const { number } = (await readOrder(id)).body;
    const before = (await t.outbox(email)).length;
    const { status, body } = await lookup({ number, email: email.toUpperCase() });
    expect([status, body]).toEqual([200, { sent: true }]);
    const mails = await t.outbox(email);
    expect([mails.length, mails.at(-1)?.subject]).toEqual([
      before + 1,
      expect.stringContaining(`Link to your order ${number}`),
    ]);
    expect((await openLink(await latestLink(email))).status).toBe(200);
  });

  it('answers the same for a wrong number, a wrong address and another business, and mails nothing', async () => {
    const { id, email } = await guestOrder();
    const { number } = (await readOrder(id)).body;
    const stranger = uniqueEmail();
    const before = (await t.outbox(email)).length;
    const answers = [
      await lookup({ number: number + 100_000, email }),
      await lookup({ number, email: stranger }),
      await lookup({ number, email }, other.orders),
    ];
    for (const { status, body } of answers) expect([status, body]).toEqual([200, { sent: true }]);
    expect([(await t.outbox(email)).length, await t.outbox(stranger)]).toEqual([before, []]);
  });

  it('is not blocked for the customer by a stranger, and mails at most 5 links of an order', async () => {
    const { id, email } = await guestOrder();
    const { number } = (await readOrder(id)).body;
    const before = (await t.outbox(email)).length;
    const ask = (index: number, address: string, protocolEmail = email) =>
      index % 2 === 0
        ? lookup({ number, email: protocolEmail }, shop.orders, address)
        : t.graphql(
            `mutation ($b: ID!, $input: SendOrderLinkInput!) { sendOrderLink(businessId: $b, input: $input) { sent } }`,
            { b: shop.businessId, input: { number, email: protocolEmail } },
            { headers: { 'x-forwarded-for': address } },
          );
    for (let index = 0; index < 12; index += 1) await ask(index, '198.51.100.77', uniqueEmail());
    expect(await lookup({ number, email }, shop.orders, '198.51.100.78')).toMatchObject({ status: 200 });
    expect((await t.outbox(email)).length).toBe(before + 1);
    // Someone who knows the address cannot tell how many links were mailed.
    const answers = [];
    for (let index = 0; index < 8; index += 1)
      answers.push((await lookup({ number, email }, shop.orders, `198.51.100.${100 + index}`)).headers);
    expect(new Set(answers.map((headers) => headers.get('ratelimit-remaining')))).toEqual(new Set(['4']));
    expect((await t.outbox(email)).length).toBe(before + 5);
  });

  it('names invalid fields, and is limited per order and network, existing or not', async () => {
    expect(detailErrors((await lookup({ number: 0, email: 'x' })).body)).toEqual([
      'number TOO_SMALL',
      'email INVALID_EMAIL',
    ]);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1)
      statuses.push((await lookup({ number: 987_654, email: uniqueEmail() })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

const claim = (as: Person) => t.rest<{ claimed: number }>('POST', '/v1/users/me/claim-orders', { as });

describe('a claim of orders', () => {
  it('moves the orders of guests with the confirmed address to the account, once', async () => {
    const { id, email, guest } = await guestOrder();
    const { id: foreignId } = await guestOrder();
    const account = await accountOf(email);
    expect((await readOrder(id, account)).status).toBe(404);
    expect((await claim(account)).body).toEqual({ claimed: 1 });
    expect((await readOrder(id, account)).body).toMatchObject({ customerId: account.userId });
    expect((await readOrder(id, guest)).status).toBe(404);
    expect((await readOrder(foreignId, account)).status).toBe(404);
    expect((await claim(account)).body).toEqual({ claimed: 0 });
    const changes = await t.rest(
      'GET',
      `/v1/businesses/${shop.businessId}/changes?kind=ORDER&recordId=${id}&userId=${account.userId}`,
      { as: shop.admin },
    );
    expect(changes.body).toMatchObject({ items: [{ recordId: id }] });
  });

  it('never takes the order of another account', async () => {
    const owner = await createAccount(t);
    const email = uniqueEmail();
    const { id } = await guestOrder(email, owner);
    expect((await claim(await accountOf(email))).body).toEqual({ claimed: 0 });
    expect((await readOrder(id)).body).toMatchObject({ customerId: owner.userId });
  });

  it('needs an account with a confirmed address', async () => {
    const { email, guest } = await guestOrder();
    expect((await claim(guest)).status).toBe(403);
    const person = await t.person({ email });
    await t.db.prisma.user.update({ where: { id: person.userId }, data: { isConfirmed: false } });
    expect((await claim(person)).status).toBe(403);
  });
});

describe('the erasure of an account', () => {
  it('erases its contact from orders that it placed as a guest, and ends their links', async () => {
    const { id, email } = await guestOrder();
    const link = await latestLink(email);
    const account = await accountOf(email);
    await t.rest('POST', '/v1/users/me/delete', { as: account, body: { password: validPassword } });
    await eraseUsersJob.run(t.app.services, {});
    expect((await readOrder(id)).body).not.toHaveProperty('contactEmail');
    expect((await openLink(link)).status).toBe(404);
  });
});
