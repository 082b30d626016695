/** Production mode: no access to the messages that the sandbox captures. */
import { describe, expect, it } from 'vitest';
import { seedCommand } from '../../src/cli/commands/seed-demo-shop.ts';
import { readConfig } from '../../src/config.ts';
import { testApp } from '../support/app.ts';

const real = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://nobody@db.invalid/duet',
  SMTP_URL: 'smtp://mail.invalid',
  STRIPE_SECRET_KEY: 'sk_test_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
};

it.each(['prod', 'Production', 'staging'])(
  'NODE_ENV=%s is rejected instead of run as development',
  (name) => {
    expect(() => readConfig({ NODE_ENV: name })).toThrow(
      /^NODE_ENV: must be production, development or test$/,
    );
  },
);

it('production creates no demo admin, whose password is public', async () => {
  expect(() => readConfig({ ...real, SEED_DEMO: 'on' })).toThrow(/^SEED_DEMO: the password .* is public/);
  const t = await testApp();
  const context = { config: readConfig(real), db: t.db, cwd: '.', write: () => {} };
  await expect(seedCommand(context, [])).rejects.toThrow('the password of its admin is public');
  expect(await t.db.prisma.user.count()).toBe(0);
});

describe('without an SMS service', () => {
  it('production sends no phone codes and has no page of captured messages', async () => {
    const t = await testApp(real);
    const person = await t.person();
    const phoneNumber = '+4915112345678';
    const sent = await t.rest('POST', '/v1/users/phone-number', { as: person, body: { phoneNumber } });
    expect([sent.status, sent.body]).toMatchObject([
      400,
      { error: 'BAD_REQUEST', details: [{ field: 'phoneNumber', error: 'NOT_CONFIGURED' }] },
    ]);
    const sending = 'mutation ($p: String!) { sendPhoneCode(phoneNumber: $p) { success } }';
    expect(await t.graphql(sending, { p: phoneNumber }, { as: person })).toMatchObject({
      errors: [{ extensions: { code: 'BAD_REQUEST', details: [{ error: 'NOT_CONFIGURED' }] } }],
    });
    expect(await t.db.prisma.outboxMessage.count()).toBe(0);
    expect(await t.db.prisma.phoneCode.count()).toBe(0);
    for (const path of ['/sandbox/outbox', '/sandbox/pay/x'])
      expect((await t.app.fetch(new Request(`http://duet.test${path}`))).status).toBe(404);
  });

  it('an enabled sandbox offers both', async () => {
    const ADMIN_TOKEN = 'operator-token-of-32-characters-x';
    const t = await testApp({ NODE_ENV: 'production', SANDBOX: 'allowed', ADMIN_TOKEN });
    const person = await t.person();
    const sent = await t.rest('POST', '/v1/users/phone-number', {
      as: person,
      body: { phoneNumber: '+4915112345678' },
    });
    expect(sent.status).toBe(200);
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    expect((await t.app.fetch(new Request('http://duet.test/sandbox/outbox', { headers }))).status).toBe(200);
  });
});
