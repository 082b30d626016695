/** `duet init`: creates a shop that sells, and nothing when a value is rejected. */
import '../support/on-pglite.ts';
import { beforeAll, expect, it } from 'vitest';
import { UsageError } from '../../src/cli/command-types-and-usage-error.ts';
import { createFirstShopCommand } from '../../src/cli/commands/init-create-first-shop.ts';
import { readConfig } from '../../src/config.ts';
import { OperatorError } from '../../src/lib/operator-errors.ts';
import { type TestApp, testApp } from '../support/app.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
});

async function init(...args: string[]): Promise<string> {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  const config = readConfig({ BUSINESS_FOUNDERS: 'other@example.com' });
  await createFirstShopCommand({ config, db: t.db, cwd: '/', write }, args);
  return written;
}

const countRecords = async () => [
  await t.db.prisma.user.count(),
  await t.db.prisma.business.count(),
  await t.db.prisma.market.count(),
];

it('creates a shop in which the owner signs in and a guest buys', async () => {
  const output = await init('--email', 'Owner@Example.com', '--name', 'Tea & Co', '--price', '1250');
  const [, businessId = ''] = /id (\S+)\./.exec(output) ?? [];
  const [, password] = /password (\S+) /.exec(output) ?? [];
  const login = await t.rest<{ user: { email: string } }>('POST', '/v1/users/login', {
    body: { provider: 'EMAIL', email: 'owner@example.com', password },
  });
  expect(login.status).toBe(200);
  const guest = await t.guest();
  const { body } = await t.rest<{ items: { id: string; variants: { id: string }[] }[] }>(
    'GET',
    `/v1/businesses/${businessId}/products`,
    { as: guest },
  );
  const [product] = body.items;
  const quote = await t.rest<{ total: number }>('POST', '/v1/payments/quote', {
    as: guest,
    body: {
      businessId,
      market: 'US',
      currency: 'USD',
      shippingMethodId: 'standard',
      items: [{ productId: product?.id, variantId: product?.variants[0]?.id, quantity: 2 }],
    },
  });
  expect([quote.status, quote.body]).toMatchObject([200, { total: 3000 }]);
});

it('uses an existing account, and is not limited by the quotas of accounts', async () => {
  const output = await init('--email', 'owner@example.com', '--name', 'Tea & Co');
  expect(output).toContain('Owner: the existing account owner@example.com.');
  expect(output).toContain('slug tea-co-2');
});

it.each([
  [['--currency', 'XX'], '--currency: Must'],
  [['--market', ''], '--market: Must not be empty.'],
  [['--name', 'x'.repeat(201)], '--name: Must'],
])('creates nothing with %s', async (args, field) => {
  const before = await countRecords();
  await expect(init('--email', 'new@example.com', '--name', 'Shop', ...args)).rejects.toThrow(OperatorError);
  await expect(init('--email', 'new@example.com', '--name', 'Shop', ...args)).rejects.toThrow(field);
  expect(await countRecords()).toEqual(before);
});

it.each([
  [[]],
  [['--email', 'x', '--name', 'Shop']],
  [['--email', 'a@example.com']],
  [['--email', 'a@example.com', '--name', 'Shop', '--price', '12.50']],
  [['--email', 'a@example.com', '--name', 'Shop', '--colour', 'red']],
])('rejects the arguments %s', async (args) => {
  await expect(init(...args)).rejects.toThrow(UsageError);
  if (args[1] === 'x') await expect(init(...args)).rejects.toThrow('--email: "x" is not an email address.');
});
