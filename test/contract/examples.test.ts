/** Sends every example of the REST reference as printed, after its prerequisites, to a fresh demo shop. */
import { beforeAll, expect, it } from 'vitest';
import { seedDemo } from '../../src/seed/demo.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { signIn } from '../support/accounts.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { auditFindings } from '../support/consistency-audit.ts';
import { contractExamples, runPrerequisites } from '../support/contract-examples.ts';

let t: TestApp;
let admin: Person;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  await seedDemo(t.db);
  admin = await signIn(t, demoShopIdsAndLogins.email, demoShopIdsAndLogins.password);
});

it.each(contractExamples)('$name', async (example) => {
  const { method, status } = example;
  const as = example.as === 'guest' ? await t.guest() : admin;
  const { path, body } = example.request(await runPrerequisites(t, example, as));
  expect(path, 'add the missing ids of the demo shop to test/parity/samples').not.toMatch(/[{}]|\/\/|\/$/);
  const response = await t.rest<Record<string, unknown>>(method, path, {
    as,
    headers: { accept: 'application/json' },
    ...(body ? { body } : {}),
  });
  expect(response.status, JSON.stringify(response.body)).toBe(status);
});

it('leaves the demo shop consistent', async () => {
  expect(await auditFindings(t.app.services)).toEqual([]);
});

it('can check out the product of the example', async () => {
  const example = contractExamples.find(({ name }) => name === 'CreateProduct');
  const created = await t.rest<{ id: string; variants: { id: string }[] }>('POST', example?.path ?? '', {
    as: admin,
    body: {
      ...example?.body,
      slug: 'to-be-sold',
      variants: [{ ...variantOf(example?.body), sku: 'SOLD-1' }],
    },
  });
  const items = [{ productId: created.body.id, variantId: created.body.variants[0]?.id, quantity: 1 }];
  const sold = await t.rest<{ checkoutUrl: string }>(
    'POST',
    `/v1/businesses/${demoShopIdsAndLogins.businessId}/orders/checkout`,
    { as: await t.guest(), body: { market: 'US', shippingMethodId: 'standard', items } },
  );
  expect(sold.body.checkoutUrl).toMatch(/^http/);
});

const variantOf = (body: Record<string, unknown> | undefined) =>
  (body?.variants as Record<string, unknown>[] | undefined)?.[0];
