/** Branding of a business: changes in both protocols, and its logo, colours and links in mails and pages. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  chooseReadableTextColour,
  computeContrastRatio,
} from '../../src/domains/branding/colour-contrast.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { uniqueEmail } from '../support/accounts.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';
import {
  addProduct,
  addPromoCode,
  createSellingShop,
  detailErrors,
  type SellingShop,
} from '../support/shop-fixtures.ts';

let t: TestApp;
let shop: SellingShop;
let other: Shop;
beforeAll(async () => {
  t = await testApp({ PUBLIC_URL: 'http://pay.test', ALLOWED_ORIGINS: 'http://shop.test,http://two.test' });
  [shop, other] = [await createSellingShop(t), await t.shop()];
});

const pathOf = ({ businessId }: Shop) => `/v1/businesses/${businessId}/branding`;
const update = (body: object, as: Person | undefined = shop.admin, at: Shop = shop, headers = {}) =>
  t.rest<Record<string, unknown>>('PATCH', pathOf(at), { ...(as ? { as } : {}), body: { ...body }, headers });

async function addLogo(at: Shop, mimeType = 'image/png'): Promise<string> {
  const id = newId();
  await t.db.prisma.mediaFile.create({
    data: {
      ...{ id, businessId: at.businessId, state: 'READY', fileName: 'logo.png', mimeType, size: 1, key: id },
      ...{ width: 400, height: 100, widths: [], createdAt: now(), updatedAt: now() },
    },
  });
  return id;
}

describe('branding', () => {
  it('has defaults until the first change, and computes readable text colours', async () => {
    const { body } = await t.rest('GET', pathOf(other), { as: other.admin });
    expect(body).toMatchObject({
      accent: '#18181b',
      accentText: '#ffffff',
      backgroundText: '#18181b',
      version: 0,
    });
    const changed = await update({ accent: '#FD0', background: '#0d6b66', replyTo: 'Help@Shop.example' });
    expect(changed.body).toMatchObject({
      ...{ accent: '#ffdd00', accentText: '#18181b', background: '#0d6b66', backgroundText: '#ffffff' },
      ...{ replyTo: 'help@shop.example', version: 1 },
    });
    const reset = await update({ background: null });
    expect(reset.body).toMatchObject({ accent: '#ffdd00', background: '#f4f4f5', version: 2 });
  });

  it('names all invalid fields at once, and changes nothing', async () => {
    const before = await t.rest('GET', pathOf(shop), { as: shop.admin });
    const invalid = {
      accent: 'red;}',
      background: '#12345',
      replyTo: 'a@b, c@d.example',
      logoId: 'x',
      shopUrl: '',
    };
    expect(detailErrors((await update(invalid)).body).sort()).toEqual([
      'accent INVALID_FORMAT',
      'background INVALID_FORMAT',
      'logoId MEDIA_NOT_FOUND',
      'replyTo INVALID_EMAIL',
      'shopUrl TOO_SHORT',
    ]);
    const unusable = { logoId: await addLogo(other), shopUrl: 'http://shop.test.evil.example/' };
    expect(detailErrors((await update(unusable)).body)).toEqual([
      'logoId MEDIA_NOT_FOUND',
      'shopUrl INVALID_URL',
    ]);
    expect(detailErrors((await update({ logoId: await addLogo(shop, 'image/svg+xml') })).body)).toEqual([
      'logoId INVALID_VALUE',
    ]);
    expect((await t.rest('GET', pathOf(shop), { as: shop.admin })).body).toEqual(before.body);
  });

  it('is changed by admins of the business only, under its version', async () => {
    const editor = await t.addMember(shop, await t.person(), 'EDITOR');
    const body = { accent: '#000000' };
    expect((await update(body, editor)).status).toBe(403);
    expect((await update(body, other.admin)).status).toBe(404);
    expect((await t.rest('PATCH', pathOf(shop), { body })).status).toBe(401);
    expect((await update(body, shop.admin, shop, { 'if-match': '"99"' })).status).toBe(412);
  });

  it('survives concurrent first changes, and is in the change history', async () => {
    const fresh = await t.shop();
    const results = await Promise.all(
      [{ accent: '#111111' }, { background: '#222222' }].map((body) => update(body, fresh.admin, fresh)),
    );
    expect(results.map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await t.rest('GET', pathOf(fresh), { as: fresh.admin });
    expect(body).toMatchObject({ accent: '#111111', background: '#222222' });
    const { body: changes } = await t.rest<{ items: unknown[] }>(
      'GET',
      `/v1/businesses/${fresh.businessId}/changes?kind=BRANDING`,
      { as: fresh.admin },
    );
    expect(changes.items).toMatchObject([
      { action: 'UPDATE' },
      { action: 'CREATE', recordId: fresh.businessId },
    ]);
  });
});

describe('mails and pages', () => {
  it('show logo, colours and the link to the shop; a logo in use is not deleted', async () => {
    const logoId = await addLogo(shop);
    const updated = await update({
      logoId,
      accent: '#ffdd00',
      background: '#0d6b66',
      shopUrl: 'http://shop.test/de',
      replyTo: 'help@shop.example',
    });
    expect(updated.body).toMatchObject({ shopUrl: 'http://shop.test/de' });
    const pot = await addProduct(t, shop, { price: 0, stock: 9, name: 'Pot' });
    await addPromoCode(t, shop, { code: 'ALL', type: 'FREE_SHIPPING' });
    const email = uniqueEmail();
    await t.rest('POST', `${shop.orders}/checkout`, {
      as: await t.guest(),
      body: {
        market: 'US',
        promoCode: 'ALL',
        items: [{ ...pot, quantity: 1 }],
        email,
        shippingMethodId: 'standard',
      },
    });
    const mail = (await t.outbox(email)).at(-1);
    const logo = `http://pay.test/media/${logoId}/logo.png`;
    for (const part of [logo, '#ffdd00', '#0d6b66', 'http://shop.test/de'])
      expect(mail?.html).toContain(part);
    expect(mail?.text).toContain('http://shop.test/de');
    const link = /http:\/\/pay\.test\/orders\/view\?token=\S+/.exec(mail?.text ?? '')?.[0] ?? '';
    const response = await t.app.fetch(new Request(link));
    const page = await response.text();
    for (const part of [`src="/media/${logoId}/logo.png"`, '--accent:#ffdd00', 'href="http://shop.test/de"'])
      expect(page).toContain(part);
    expect(response.headers.get('content-security-policy')).toMatch(/style-src 'self' 'sha256-/);
    const removal = await t.rest('DELETE', `/v1/businesses/${shop.businessId}/media/${logoId}`, {
      as: shop.admin,
    });
    expect(removal.status).toBe(422);
  });
});

describe('a readable text colour', () => {
  it('has a contrast of at least 4.5 on every colour', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xff_ff_ff }), (value) => {
        const colour = `#${value.toString(16).padStart(6, '0')}`;
        expect(computeContrastRatio(chooseReadableTextColour(colour), colour)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});
