/** Rotation of signing keys at runtime: without ending sessions, or with `--revoke` after a leak. */
import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type GatewayKeys, loadGatewayKeys, type TokenUse } from '../../src/auth/gateway-keys.ts';
import { rotateSigningKeys } from '../../src/auth/load-rotate-and-reencrypt-stored-keys.ts';
import { createJwtService } from '../../src/auth/sign-and-verify-tokens.ts';
import { decryptWithSecret, encryptWithSecret } from '../../src/lib/hash-encrypt-and-random-tokens.ts';
import { createAccount, signIn } from '../support/accounts.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';

afterEach(() => {
  vi.useRealTimers();
});
const later = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });

const kids = async (t: TestApp) =>
  (await t.rest<{ keys: { kid: string; d?: string }[] }>('GET', '/.well-known/jwks.json')).body.keys.map(
    (key) => {
      expect(key).not.toHaveProperty('d');
      return key.kid;
    },
  );
const kidOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid as string;
const me = async (t: TestApp, as: Person) => (await t.rest('GET', '/v1/users/me', { as })).status;
const refresh = (t: TestApp, refreshToken: string) =>
  t.rest<{ accessToken: string }>('POST', '/v1/users/refresh', { body: { refreshToken } });

describe('rotation', () => {
  it('signs with the new key at once and still verifies tokens of the old key', async () => {
    const t = await testApp({ RATE_LIMIT: 'off' });
    const person = await createAccount(t);
    const [old = ''] = await kids(t);
    const secret = t.app.services.keys.secret;
    const kid = await rotateSigningKeys(t.db, { revoke: false });
    await expect.poll(() => kids(t)).toEqual([kid, old]);
    const again = await signIn(t, person.email);
    expect(kidOf(again.token)).toBe(kid);
    expect([await me(t, person), await me(t, again)]).toEqual([200, 200]);
    expect(t.app.services.keys.secret).toEqual(secret);
    later(2 * 3600);
    expect(await kids(t)).toEqual([kid]);
    const refreshed = await refresh(t, person.refreshToken);
    expect(refreshed.status).toBe(200);
    expect(kidOf(refreshed.body.accessToken)).toBe(kid);
  });

  it('is detected at once by a process that receives a token of the new key', async () => {
    const t = await testApp({ RATE_LIMIT: 'off' });
    const person = await createAccount(t);
    await rotateSigningKeys(t.db, { revoke: false });
    const other = createJwtService(await loadGatewayKeys(t.db, undefined));
    const { token } = await other.issueAccess({ sub: person.userId, provider: 'EMAIL', email: person.email });
    later(6);
    expect(await me(t, { ...person, token })).toBe(200);
  });

  it('with --revoke rejects all tokens of the old keys at once', async () => {
    const t = await testApp({ RATE_LIMIT: 'off' });
    const person = await createAccount(t);
    await rotateSigningKeys(t.db, { revoke: true });
    await expect.poll(() => me(t, person)).toBe(401);
    expect((await refresh(t, person.refreshToken)).status).toBe(401);
    expect(await me(t, await signIn(t, person.email))).toBe(200);
  });

  it('with --revoke does not cache a token whose verification began before', async () => {
    const t = await testApp();
    const { keys } = t.app.services;
    const { token } = await createJwtService(keys).issueAccess({ sub: 'x', provider: 'EMAIL' });
    let isRevoked = false;
    let revoke = () => {};
    const revoked: GatewayKeys = Object.create(keys, {
      onChanged: { value: (listener: () => void) => (revoke = listener) },
      verificationKey: {
        value: (kid: string, use: TokenUse) => {
          if (isRevoked) return undefined;
          isRevoked = true;
          revoke();
          return keys.verificationKey(kid, use);
        },
      },
    });
    const service = createJwtService(revoked);
    expect(await service.verifyAccess(token)).toMatchObject({ sub: 'x' });
    expect(await service.verifyAccess(token)).toBeUndefined();
  });

  it('is refused without the SECRETS_KEY of the stored keys, instead of storing a key in plain text', async () => {
    const SECRETS_KEY = randomBytes(32).toString('base64');
    const t = await testApp({ SECRETS_KEY });
    const before = await t.db.sql('select * from signing_keys order by kid');
    for (const revoke of [false, true])
      await expect(rotateSigningKeys(t.db, { revoke })).rejects.toThrow(/^SECRETS_KEY: .*not configured/);
    expect(await t.db.sql('select * from signing_keys order by kid')).toEqual(before);
  });

  it('is controlled by SIGNING_KEY when set: the first key signs, all keys verify', async () => {
    const jwk = async () => exportJWK((await generateKeyPair('EdDSA', { extractable: true })).privateKey);
    const [first, second] = [await jwk(), await jwk()];
    const t = await testApp({ SIGNING_KEY: JSON.stringify(first) });
    const before = createJwtService(t.app.services.keys);
    const { token } = await before.issueAccess({ sub: 'x', provider: 'EMAIL' });
    const { d: _secret, ...onlyPublic } = first;
    const rotated = await loadGatewayKeys(t.db, JSON.stringify({ keys: [second, onlyPublic] }));
    const after = createJwtService(rotated);
    expect(await after.verifyAccess(token)).toMatchObject({ sub: 'x' });
    expect(kidOf((await after.issueAccess({ sub: 'x', provider: 'EMAIL' })).token)).not.toBe(kidOf(token));
    await expect(loadGatewayKeys(t.db, JSON.stringify(onlyPublic))).rejects.toThrow('SIGNING_KEY');
    // Cursors, quotes and links in sent newsletters depend on the secret.
    expect(rotated.secret).toEqual(t.app.services.keys.secret);
    expect((await loadGatewayKeys(t.db, undefined)).secret).toEqual(rotated.secret);
  });
});

describe('sealed values', () => {
  it('are decrypted with their own secret only', () => {
    const [secret, other] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    const sealed = encryptWithSecret(secret, 'a token');
    expect(decryptWithSecret(secret, sealed)).toBe('a token');
    expect(decryptWithSecret(other, sealed)).toBeUndefined();
    expect(decryptWithSecret(secret, `${sealed.slice(0, -3)}AAA`)).toBeUndefined();
    expect(decryptWithSecret(secret, '')).toBeUndefined();
  });
});
