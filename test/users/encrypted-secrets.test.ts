/** Secrets at rest: with SECRETS_KEY the database alone gives none away, and the key can be changed. */
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { secretsCommand } from '../../src/cli/commands/secrets.ts';
import { readConfig } from '../../src/config.ts';
import { newId } from '../../src/lib/ids.ts';
import { createSecretCipher, parseSecretsKeys } from '../../src/secret-encryption.ts';
import { seedDemo } from '../../src/seed/demo.ts';
import { demo, disposableRecords } from '../../src/seed/shop-data.ts';
import { signIn } from '../support/accounts.ts';
import { type TestApp, testApp } from '../support/app.ts';

const [one, two] = [randomBytes(32), randomBytes(32)];
const keyOf = (...keys: Buffer[]) => keys.map((key) => key.toString('base64')).join(',');

describe('an envelope', () => {
  it('opens with its own key among others, and says which is missing', () => {
    const sealed = createSecretCipher([one]).encrypt('secret');
    expect(sealed).not.toContain('secret');
    expect(createSecretCipher([two, one]).decrypt(sealed)).toBe('secret');
    expect(createSecretCipher([]).decrypt('plain')).toBe('plain');
    for (const keys of [[], [two]])
      expect(() => createSecretCipher(keys).decrypt(sealed)).toThrow(
        /^SECRETS_KEY: .* Add that key behind the others\.$/,
      );
    const forged = sealed.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expect(() => createSecretCipher([one]).decrypt(forged.slice(0, -4))).toThrow('SECRETS_KEY');
  });

  it.each([
    ['hex', one.toString('hex'), 1],
    ['base64', keyOf(one), 1],
    ['several', ` ${keyOf(one)} , ${two.toString('hex')}`, 2],
    ['too short', randomBytes(16).toString('base64'), undefined],
    ['a word', 'changeme', undefined],
    ['a comma too many', `${keyOf(one)},`, undefined],
  ])('takes keys as they are written: %s', (_what, text, count) => {
    expect(parseSecretsKeys(text)?.length).toBe(count);
    if (count === undefined)
      expect(() => readConfig({ SECRETS_KEY: text })).toThrow(/^SECRETS_KEY: must be 32 bytes/);
  });
});

/** Everything that is stored of keys and endpoints, and of answers that are kept for retries. */
const stored = async ({ db }: TestApp) =>
  JSON.stringify([
    await db.sql('select * from signing_keys'),
    await db.sql('select * from webhook_endpoints'),
    await db.sql('select * from idempotency_keys'),
  ]);

const endpoint = async (t: TestApp, businessId: string, as: { userId: string; token: string }) => {
  const answer = await t.rest<{ id: string; secret: string }>(
    'POST',
    `/v1/businesses/${businessId}/webhooks`,
    {
      as,
      body: { url: `https://hooks.example/${newId()}`, events: ['order.created'] },
      headers: { 'idempotency-key': newId() },
    },
  );
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};

const restarted = (t: TestApp, env: Record<string, string>) =>
  createApp({ config: readConfig(env), db: t.db, log: pino({ level: 'silent' }) });

const rotate = async (t: TestApp, SECRETS_KEY: string) => {
  let said = '';
  const write = (text: string) => {
    said += text;
  };
  await secretsCommand({ config: readConfig({ SECRETS_KEY }), db: t.db, cwd: '/', write }, ['rotate']);
  return said;
};

describe('the database', () => {
  it('holds no secret in the open, and neither do kept answers', async () => {
    const t = await testApp({ SECRETS_KEY: keyOf(one) });
    const { businessId, admin } = await t.shop();
    const { id, secret } = await endpoint(t, businessId, admin);
    expect(secret).toMatch(/^whsec_/);
    const path = `/v1/businesses/${businessId}/webhooks/${id}`;
    const rotated = await t.rest<{ secret: string }>('POST', `${path}/rotate-secret`, {
      as: admin,
      headers: { 'idempotency-key': newId() },
    });
    const all = await stored(t);
    for (const hidden of [
      secret,
      rotated.body.secret,
      Buffer.from(t.app.services.keys.secret).toString('base64url'),
    ])
      expect(all).not.toContain(hidden);
    expect(all).not.toContain('whsec_');
    for (const { jwk } of await t.db.sql<{ jwk: { d?: string; k?: string } }>('select jwk from signing_keys'))
      expect(jwk.d ?? jwk.k).toMatch(/^sealed:/);
    const shown = await t.rest<{ secret: string }>('GET', path, { as: admin });
    expect(shown.body.secret).toBe(`whsec_****${rotated.body.secret.slice(-5, -1)}`);
    await expect(restarted(t, {})).rejects.toThrow(/^SECRETS_KEY: /);
    await expect(restarted(t, { SECRETS_KEY: keyOf(two) })).rejects.toThrow(/^SECRETS_KEY: /);
  });

  it('holds none of the demo shop in the open, which are good all the same', async () => {
    const t = await testApp({ SECRETS_KEY: keyOf(one) });
    expect(await seedDemo(t.db, undefined, undefined, t.app.services.config.secretsKeys)).toBe(true);
    expect(await stored(t)).not.toContain('whsec_');
    const path = `/v1/businesses/${demo.businessId}/webhooks/${disposableRecords.webhookId}`;
    const shown = await t.rest<{ secret: string }>('GET', path, {
      as: await signIn(t, demo.email, demo.password),
    });
    expect(shown.body.secret).toMatch(/^whsec_\*{4}/);
  });

  it('from before there was a key is read as it is, then sealed, then sealed with another key', async () => {
    const t = await testApp();
    const { businessId, admin } = await t.shop();
    const { id, secret } = await endpoint(t, businessId, admin);
    expect(await stored(t)).toContain(secret);
    expect(await rotate(t, keyOf(one))).toContain('Webhook endpoints: 1 sealed.');
    expect(await stored(t)).not.toContain('whsec_');
    expect(await rotate(t, keyOf(two, one))).toContain('2 sealed anew');
    const again = await restarted(t, { SECRETS_KEY: keyOf(two) });
    expect(again.services.keys.secret).toEqual(t.app.services.keys.secret);
    const response = await again.fetch(
      new Request(`http://duet.test/v1/businesses/${businessId}/webhooks/${id}`, {
        headers: { authorization: `Bearer ${admin.token}` },
      }),
    );
    expect(await response.json()).toMatchObject({ secret: `whsec_****${secret.slice(-5, -1)}` });
    await again.stop();
    expect(await rotate(t, keyOf(two))).toContain('0 sealed anew');
    await expect(rotate(t, keyOf(one))).rejects.toThrow('SECRETS_KEY');
  });
});
