/** Quote ids: price locks bound to their cart, publicly verifiable and tamper-proof. */
import {
  CompactSign,
  type CryptoKey,
  createLocalJWKSet,
  decodeProtectedHeader,
  generateKeyPair,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { rotateSigningKeys } from '../../src/auth/load-rotate-and-reencrypt-stored-keys.ts';
import {
  decodeQuoteToken,
  quoteLifetimeSeconds,
  verifyQuoteToken,
} from '../../src/domains/checkout/quote-token.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { addProduct, detailErrors, postQuote, type SoldProduct } from '../support/shop-fixtures.ts';
import { cartInput, guest, pot, shop, t } from './setup.ts';

let cup: SoldProduct;

beforeAll(async () => {
  cup = await addProduct(t, shop, { price: 450, stock: 5, name: 'Cup' });
});

describe('the price lock', () => {
  const request = () => ({
    ...cartInput({ promoCode: 'HALF', items: undefined }),
    lines: [
      { ...pot, quantity: 1 },
      { ...cup, quantity: 2 },
    ],
  });
  const createQuoteId = async () => (await postQuote<{ id: string }>(t, guest, request())).body.id;

  const open = async (id: string, change: object = {}, at = now()) => {
    try {
      return verifyQuoteToken(await decodeQuoteToken(t.app.services, id), { ...request(), ...change }, at)
        .discount;
    } catch (error) {
      return (error as { details: { error: string }[] }).details[0]?.error;
    }
  };

  it('is valid only for its own cart and only until it expires', async () => {
    const id = await createQuoteId();
    const { lines } = request();
    expect(await open(id)).toBe(950);
    expect(await open(id, { lines: [...lines].reverse() })).toBe(950);
    expect(await open(id, { promoCode: undefined, shippingMethodId: undefined })).toBe(950);
    expect(await open(id, {}, now() + quoteLifetimeSeconds + 1)).toBe('QUOTE_EXPIRED');
    for (const change of [
      { businessId: newId() },
      { market: 'EU' },
      { promoCode: 'ALL' },
      { shippingMethodId: 'express' },
      { lines: lines.slice(1) },
      { lines: lines.map((line) => ({ ...line, quantity: 9 })) },
    ]) {
      expect(await open(id, change)).toBe('QUOTE_MISMATCH');
    }
  });

  it('can be verified with jose and the published keys alone', async () => {
    const { body } = await postQuote<Record<string, unknown>>(t, guest, request());
    const published = await t.rest<JSONWebKeySet>('GET', '/.well-known/jwks.json');
    const { payload, protectedHeader } = await jwtVerify(String(body.id), createLocalJWKSet(published.body), {
      typ: 'quote+jwt',
      issuer: 'http://pay.test',
    });
    expect(protectedHeader).toMatchObject({ alg: 'EdDSA', kid: published.body.keys[0]?.kid });
    expect(payload).toEqual({
      iss: 'http://pay.test',
      iat: expect.any(Number),
      exp: body.expiresAt,
      businessId: shop.businessId,
      market: 'US',
      currency: 'USD',
      lines: [
        { ...pot, quantity: 1, unitPrice: 1000 },
        { ...cup, quantity: 2, unitPrice: 450 },
      ],
      subtotal: 1900,
      discount: 950,
      tax: 78,
      taxBps: 825,
      shipping: 590,
      total: 1618,
      shippingMethodId: 'standard',
      promoCode: 'HALF',
    });
  });

  it('is rejected when it was altered, is another kind of token, or has a foreign signature', async () => {
    const id = await createQuoteId();
    const [header = '', text = '', signature = ''] = id.split('.');
    const cheaper = Buffer.from(text, 'base64url').toString().replace('1000', '0001');
    const altered = [header, Buffer.from(cheaper).toString('base64url'), signature].join('.');
    const { privateKey } = await generateKeyPair('EdDSA');
    const signedBy = (key: CryptoKey, typ: string, kid: string) =>
      new CompactSign(Buffer.from(text, 'base64url'))
        .setProtectedHeader({ alg: 'EdDSA', kid, typ })
        .sign(key);
    const { kid, signingKey: signing } = t.app.services.keys;
    const none = `${Buffer.from('{"alg":"none","typ":"quote+jwt"}').toString('base64url')}.${text}.`;
    for (const bad of [
      ...['', 'x', text, `${text}.`, `${header}.${text}`, `${id}.`, altered, none, guest.token],
      await signedBy(privateKey, 'quote+jwt', kid),
      await signedBy(privateKey, 'quote+jwt', 'unknown'),
      await signedBy(signing, 'at+jwt', kid),
    ]) {
      expect([bad, await open(bad)]).toEqual([bad, 'QUOTE_INVALID']);
    }
    expect((await postQuote(t, { ...guest, token: id }, request())).status).toBe(401);
  });

  it('is accepted by checkout also after a key rotation, and rejected with 422 for an unknown key', async () => {
    const id = await createQuoteId();
    await rotateSigningKeys(t.db, { revoke: false });
    const { items, ...delivery } = { items: request().lines, market: 'US', shippingMethodId: 'standard' };
    const checkOut = (quote: string) =>
      t.rest('POST', `${shop.orders}/checkout`, { as: guest, body: { ...delivery, items, quote } });
    const later = await createApp({
      config: t.app.services.config,
      db: t.db,
      log: pino({ level: 'silent' }),
    });
    const jwks = later.services.keys.jwks.keys.map(({ kid }) => kid);
    expect(jwks).toContain(decodeProtectedHeader(id).kid);
    expect(later.services.keys.kid).not.toBe(decodeProtectedHeader(id).kid);
    expect(await later.services.tokens.readQuote(id)).toMatchObject({ total: 1618 });
    expect((await checkOut(id)).status).toBe(200);
    const { privateKey } = await generateKeyPair('EdDSA');
    const strange = await new CompactSign(Buffer.from('{}'))
      .setProtectedHeader({ alg: 'EdDSA', kid: 'strange', typ: 'quote+jwt' })
      .sign(privateKey);
    const refused = await checkOut(strange);
    expect([refused.status, detailErrors(refused.body)]).toEqual([422, ['quote QUOTE_INVALID']]);
  });
});
