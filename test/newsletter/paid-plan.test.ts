/** A paid plan from subscribing to the mail, on the sandbox payment page. */
import { beforeAll, expect, it } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ PUBLIC_URL: 'http://pay.test' });
});

it('activates a paid plan by payment on the sandbox page and delivers the mail', async () => {
  const [shop, guest] = [await t.shop(), await t.guest()];
  const base = `/v1/businesses/${shop.businessId}`;
  const post = async (path: string, body: object, as = shop.admin) =>
    (await t.rest<Record<string, string>>('POST', `${base}/${path}`, { as, body })).body;
  const { id: collectionId } = await post('collections', {
    name: 'Letter',
    type: 'NEWSLETTER',
    plans: [{ id: 'pro', name: 'Pro', price: { amount: 500, currency: 'usd', interval: 'MONTHLY' } }],
  });
  const email = 'payer@mail.example';
  const subscribe = (as = guest) =>
    post(`collections/${collectionId}/subscribe`, { email, planId: 'pro' }, as);
  const submitAction = (action: string, url = '') =>
    t.app.fetch(
      new Request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `action=${action}`,
      }),
    );

  const { checkoutUrl } = await subscribe();
  expect(checkoutUrl).toMatch(/^http:\/\/pay\.test\/sandbox\/pay\//);
  await submitAction('decline', checkoutUrl);
  expect(await subscribe()).toEqual({ checkoutUrl });
  const pageContent = async (url = '') => {
    const text = await (await t.app.fetch(new Request(url))).text();
    return [/<h1>([^<]*)/.exec(text)?.[1], text.includes('Letter'), text.includes(email)];
  };
  const cancelled = await submitAction('cancel', checkoutUrl);
  const cancelUrl = cancelled.headers.get('location') ?? '';
  expect(await pageContent(cancelUrl)).toEqual(['Your subscription is awaiting payment', true, false]);
  const paid = await submitAction('pay', checkoutUrl);
  const thanks = cancelUrl.replace('/cancelled?', '/thanks?');
  expect([paid.status, paid.headers.get('location')]).toEqual([303, thanks]);
  await t.app.drainJobs();
  const { id, ...active } = await subscribe(shop.admin);
  expect(active).toMatchObject({ email, planId: 'pro', status: 'ACTIVE' });
  expect(thanks).toBe(`http://pay.test/checkout/thanks?subscriptionId=${id}`);
  expect(await pageContent(thanks)).toEqual(['Thank you, you are subscribed', true, false]);

  const { id: entryId } = await post('entries', {
    collectionId,
    blocks: [{ id: 'title', type: 'TEXT', value: 'For those who paid' }],
  });
  await post(`entries/${entryId}/send`, {});
  expect(await t.outbox(email)).toMatchObject([{ subject: 'For those who paid' }]);
});
