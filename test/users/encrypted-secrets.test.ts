/** Encryption of secrets at rest with SECRETS_KEY, and rotation of the key. */
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { secretsCommand } from '../../src/cli/commands/secrets-rotate.ts';
import { readConfig } from '../../src/config.ts';
import { newId } from '../../src/lib/ids.ts';
import { createSecretsKeyCipher, parseSecretsKeys } from '../../src/secrets-key-cipher.ts';
import { seedDemo } from '../../src/seed/demo.ts';
import { demoShopIdsAndLogins, disposableRecordIds } from '../../src/seed/shop-data.ts';
import { signIn } from '../support/accounts.ts';
import { type TestApp, testApp } from '../support/app.ts';

const [firstKey, secondKey] = [randomBytes(32), randomBytes(32)];
const keyOf = (...keys: Buffer[]) => keys.map((key) => key.toString('base64')).join(',');

describe('an encrypted secret', () => {
  it('is decrypted with its own key among others, and names the missing key', () => {
    const sealed = createSecretsKeyCipher([firstKey]).encrypt('secret');
    expect(sealed).not.toContain('secret');
    expect(createSecretsKeyCipher([secondKey, firstKey]).decrypt(sealed)).toBe('secret');
    expect(createSecretsKeyCipher([]).decrypt('plain')).toBe('plain');
    for (const keys of [[], [secondKey]])
      expect(() => createSecretsKeyCipher(keys).decrypt(sealed)).toThrow(
        /^SECRETS_KEY: .* Append that key to the list\.$/,
      );
    const forged = sealed.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expect(() => createSecretsKeyCipher([firstKey]).decrypt(forged.slice(0, -4))).toThrow('SECRETS_KEY');
  });

  it.each([
    ['hex', firstKey.toString('hex'), 1],
    ['base64', keyOf(firstKey), 1],
    ['several', ` ${keyOf(firstKey)} , ${secondKey.toString('hex')}`, 2],
    ['too short', randomBytes(16).toString('base64'), undefined],
    ['a word', 'changeme', undefined],
    ['a comma too many', `${keyOf(firstKey)},`, undefined],
  ])('accepts keys in different notations: %s', (_what, text, count) => {
    expect(parseSecretsKeys(text)?.length).toBe(count);
    if (count === undefined)
      expect(() => readConfig({ SECRETS_KEY: text })).toThrow(/^SECRETS_KEY: must be 32 bytes/);
  });
});

/** Stored signing keys, webhook endpoints and idempotent responses as JSON. */
const dumpSecrets = async ({ db }: TestApp) =>
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

const restart = (t: TestApp, env: Record<string, string>) =>
  createApp({ config: readConfig(env), db: t.db, log: pino({ level: 'silent' }) });

const rotate = async (t: TestApp, SECRETS_KEY: string) => {
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  await secretsCommand({ config: readConfig({ SECRETS_KEY }), db: t.db, cwd: '/', write }, ['rotate']);
  return output;
};

describe('the database', () => {
  it('contains no plain-text secret, also not in idempotent responses', async () => {
    const t = await testApp({ SECRETS_KEY: keyOf(firstKey) });
    const { businessId, admin } = await t.shop();
    const { id, secret } = await endpoint(t, businessId, admin);
    expect(secret).toMatch(/^whsec_/);
    const path = `/v1/businesses/${businessId}/webhooks/${id}`;
    const rotated = await t.rest<{ secret: string }>('POST', `${path}/rotate-secret`, {
      as: admin,
      headers: { 'idempotency-key': newId() },
    });
    const all = await dumpSecrets(t);
    for (const plainText of [
      secret,
      rotated.body.secret,
      Buffer.from(t.app.services.keys.secret).toString('base64url'),
    ])
      expect(all).not.toContain(plainText);
    expect(all).not.toContain('whsec_');
    for (const { jwk } of await t.db.sql<{ jwk: { d?: string; k?: string } }>('select jwk from signing_keys'))
      expect(jwk.d ?? jwk.k).toMatch(/^sealed:/);
    const shown = await t.rest<{ secret: string }>('GET', path, { as: admin });
    expect(shown.body.secret).toBe(`whsec_****${rotated.body.secret.slice(-5, -1)}`);
    await expect(restart(t, {})).rejects.toThrow(/^SECRETS_KEY: /);
    await expect(restart(t, { SECRETS_KEY: keyOf(secondKey) })).rejects.toThrow(/^SECRETS_KEY: /);
  });

  it('contains no plain-text secret of the demo shop, and the secrets work', async () => {
    const t = await testApp({ SECRETS_KEY: keyOf(firstKey) });
    expect(await seedDemo(t.db, undefined, undefined, t.app.services.config.secretsKeys)).toBe(true);
    expect(await dumpSecrets(t)).not.toContain('whsec_');
    const path = `/v1/businesses/${demoShopIdsAndLogins.businessId}/webhooks/${disposableRecordIds.webhookId}`;
    const shown = await t.rest<{ secret: string }>('GET', path, {
      as: await signIn(t, demoShopIdsAndLogins.email, demoShopIdsAndLogins.password),
    });
    expect(shown.body.secret).toMatch(/^whsec_\*{4}/);
  });

  it('with plain-text secrets is readable, then encrypted, then re-encrypted with another key', async () => {
    const t = await testApp();
    const { businessId, admin } = await t.shop();
    const { id, secret } = await endpoint(t, businessId, admin);
    expect(await dumpSecrets(t)).toContain(secret);
    expect(await rotate(t, keyOf(firstKey))).toContain('Webhook endpoints: 1 encrypted.');
    expect(await dumpSecrets(t)).not.toContain('whsec_');
    expect(await rotate(t, keyOf(secondKey, firstKey))).toContain('2 encrypted again');
    const restartedApp = await restart(t, { SECRETS_KEY: keyOf(secondKey) });
    expect(restartedApp.services.keys.secret).toEqual(t.app.services.keys.secret);
    const response = await restartedApp.fetch(
      new Request(`http://duet.test/v1/businesses/${businessId}/webhooks/${id}`, {
        headers: { authorization: `Bearer ${admin.token}` },
      }),
    );
    expect(await response.json()).toMatchObject({ secret: `whsec_****${secret.slice(-5, -1)}` });
    await restartedApp.stop();
    expect(await rotate(t, keyOf(secondKey))).toContain('0 encrypted again');
    await expect(rotate(t, keyOf(firstKey))).rejects.toThrow('SECRETS_KEY');
  });
});
