/** Phone codes of the demo data, printed in the API reference: valid once for the demo admin, with plain and encrypted secrets. */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { seedDemo } from '../../src/seed/demo.ts';
import { demoPhoneConfirmations, demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { signIn } from '../support/accounts.ts';
import { type TestApp, testApp } from '../support/app.ts';

const [first, second] = demoPhoneConfirmations;

async function startDemo(env: Record<string, string>): Promise<TestApp> {
  const t = await testApp(env);
  const { publicUrl, secretsKeys } = t.app.services.config;
  expect(await seedDemo(t.db, publicUrl, undefined, secretsKeys)).toBe(true);
  return t;
}

const confirm = async (t: TestApp, email: string, body: { phoneNumber: string; code: string }) => {
  const as = await signIn(t, email, demoShopIdsAndLogins.password);
  return (await t.rest('POST', '/v1/users/phone-number/confirm', { as, body })).status;
};

it.each([
  ['plain', {}],
  ['encrypted', { SECRETS_KEY: randomBytes(32).toString('base64') }],
])('confirm one number each, with %s secrets', async (_, env) => {
  const t = await startDemo(env);
  expect(await confirm(t, demoShopIdsAndLogins.email, { ...first, code: second.code })).toBe(422);
  expect(await confirm(t, demoShopIdsAndLogins.customerEmail, first)).toBe(422);
  expect(await confirm(t, demoShopIdsAndLogins.email, first)).toBe(200);
  expect(await confirm(t, demoShopIdsAndLogins.email, first)).toBe(422);
  expect(await seedDemo(t.db)).toBe(false);
  expect(await confirm(t, demoShopIdsAndLogins.email, first)).toBe(422);
  expect(await confirm(t, demoShopIdsAndLogins.email, second)).toBe(200);
});

it('do not exist without the demo data', async () => {
  const t = await testApp();
  expect(await t.db.prisma.phoneCode.count()).toBe(0);
});
