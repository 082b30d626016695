/** Customer mails about orders: sent once each, in the customer's language, with the business as sender name. */
import { describe, expect, it } from 'vitest';
import { defaultColours, type ShopBrand } from '../../src/domains/branding/model.ts';
import { mailTemplateKinds } from '../../src/domains/mail-templates/rendering/mail-kinds-and-placeholders.ts';
import { composeOrderMail } from '../../src/domains/orders/mail/compose-order-mail.ts';
import type { Order } from '../../src/domains/orders/model.ts';
import {
  canonicalizeLocale,
  negotiateLocale,
  supportedLanguageOfLocale,
  supportedLanguages,
} from '../../src/lib/text/locales.ts';
import { addProduct, detailErrors } from '../support/shop-fixtures.ts';
import { customer, fetchOrder, manualOrder, postOrder, putOrder, shop, t } from './setup.ts';

const brandNamed = (name: string): ShopBrand => ({
  name,
  ...defaultColours,
  hasColours: false,
  defaultLocale: 'en',
});

const subjects = async () => (await t.outbox('ada@people.example')).map(({ subject }) => subject ?? '');

describe('the language of a mail', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['*', undefined],
    ['de', 'de'],
    ['de-at, en;q=0.8', 'de-AT'],
    ['pl, fr-CA;q=0.5, it;q=0.9', 'it'],
    ['es;q=0, en;q=0.1', 'en'],
    ['x'.repeat(10_000), undefined],
    ['<script>, ;;q=9, de;q=NaN', undefined],
    ['zh-Hant-TW-u-nu-latn, de-Latn-DE;q=0.3', 'de-DE'],
  ])('is negotiated from Accept-Language %j: %s', (header, locale) => {
    expect(negotiateLocale(header)).toBe(locale);
  });

  it.each([
    ['DE_at', undefined],
    ['de-at', 'de-AT'],
    ['sr-Latn-RS', 'sr-RS'],
    ['english please', undefined],
  ])('canonicalizes %s to %s', (input, locale) => {
    expect(canonicalizeLocale(input)).toBe(locale);
  });

  it('falls back to English for languages without texts', () => {
    expect([undefined, 'pl', 'DE-ch', 'it', 'fra'].map(supportedLanguageOfLocale)).toEqual([
      'en',
      'en',
      'de',
      'it',
      'en',
    ]);
  });
});

describe('a mail', () => {
  const order = {
    number: 1001,
    currency: 'EUR',
    lines: [{ quantity: 2, name: 'Pot <b>', variantName: 'Small', totalPrice: 123_450 }],
    discount: 450,
    shipping: 500,
    tax: 0,
    total: 123_500,
    shippingAddress: { name: 'Ada', line1: 'Am Wall 1', city: 'Bremen', postalCode: '28195', country: 'DE' },
  } as unknown as Order;

  it('exists for every kind and language, with order number and business name', () => {
    const seen = new Set<string>();
    for (const locale of supportedLanguages)
      for (const kind of mailTemplateKinds) {
        const composed = composeOrderMail({
          kind,
          order: { ...order, locale },
          name: 'Ada',
          brand: brandNamed('Tea & Co'),
          amount: 100,
        });
        expect(composed.fromName).toBe('Tea & Co');
        for (const part of [composed.subject, composed.text, composed.html]) expect(part).toContain('1001');
        expect(composed.html).not.toContain('<b>');
        seen.add(composed.subject).add(composed.text);
      }
    expect(seen.size).toBe(supportedLanguages.length * mailTemplateKinds.length * 2);
  });

  it('formats amounts in the locale', () => {
    const german = composeOrderMail({
      kind: 'ORDER_REFUNDED',
      order: { ...order, locale: 'de-AT' },
      name: '',
      brand: brandNamed('Tee'),
      amount: 950,
    });
    expect(german.text.replaceAll(/[\u00a0\u202f]/g, ' ')).toBe(
      'Guten Tag,\n\nzu Ihrer Bestellung 1001 haben wir € 9,50 erstattet. Je nach Zahlungsart kann es einige Tage dauern, bis der Betrag ' +
        'bei Ihnen eingeht.\n\n2 × Pot <b>, Small: € 1.234,50\nRabatt: -€ 4,50\nVersand: € 5,00\nSteuer: € 0,00\nGesamt: € 1.235,00\n\n' +
        'Lieferadresse\nAda\nAm Wall 1\n28195 Bremen\nDE\n\nTee\n',
    );
  });
});

describe('a mail with line breaks in names', () => {
  const evil = 'Evil\r\nBcc: x@x.example\u2028\u202e\u0000!';
  const singleLine = 'Evil Bcc: x@x.example !';
  const order = {
    number: 1001,
    currency: 'EUR',
    lines: [{ quantity: 2, name: evil, variantName: evil, totalPrice: 1 }],
    ...{ discount: 0, shipping: 0, tax: 0, total: 1 },
    shippingAddress: { name: evil, company: evil, line1: evil, line2: evil, city: evil, country: 'DE' },
  } as unknown as Order;

  it('contains each name in a single line, in headers and in the text', () => {
    const { fromName, subject, text } = composeOrderMail({
      kind: 'ORDER_SHIPPED',
      order,
      name: evil,
      brand: brandNamed(evil),
    });
    expect([fromName, subject]).toEqual([singleLine, `Your order 1001 at ${singleLine} is on its way`]);
    expect(text.split('\n').filter((line) => line.includes('Evil'))).toEqual([
      `Hello ${singleLine},`,
      `2 × ${singleLine}, ${singleLine}`,
      ...Array(5).fill(singleLine),
      singleLine,
    ]);
    expect(text.split('').filter((character) => '\r\u2028\u202e\u0000'.includes(character))).toEqual([]);
  });
});

describe('customers receive', () => {
  it('one mail each for confirmation, shipment and refund, in the language of their request', async () => {
    const cup = await addProduct(t, shop, { price: 1000 });
    const { body } = await t.rest<{ orderId: string; checkoutUrl: string }>(
      'POST',
      `${shop.orders}/checkout`,
      {
        as: customer,
        headers: { 'accept-language': 'de-DE, en;q=0.5' },
        body: { market: 'US', shippingMethodId: 'standard', items: [{ ...cup, quantity: 1 }] },
      },
    );
    const pay = () =>
      t.app.fetch(
        new Request(body.checkoutUrl, { method: 'POST', body: new URLSearchParams({ action: 'pay' }) }),
      );
    await pay();
    await pay();
    await t.app.drainJobs();
    const path = `/${body.orderId}/status`;
    for (const status of ['SHIPPED', 'SHIPPED', 'DELIVERED']) await putOrder(path, { status });
    await t.rest('POST', `${shop.orders}/${body.orderId}/refunds`, { as: shop.admin, body: { amount: 300 } });
    await t.app.drainJobs();
    const { number, locale } = await fetchOrder(body.orderId);
    const about = (await subjects()).filter((subject) => subject.includes(String(number)));
    expect(about).toEqual([
      `Ihre Bestellung ${number} bei Shop`,
      `Ihre Bestellung ${number} bei Shop ist unterwegs`,
      `Erstattung zu Ihrer Bestellung ${number} bei Shop`,
    ]);
    expect(locale).toBe('de-DE');
  });

  it('a cancellation in the locale of the order, but none for an unpaid checkout', async () => {
    const { body } = await postOrder(manualOrder({ locale: 'fr' }));
    const { number } = body;
    await putOrder(`/${body.id}/status`, { status: 'CANCELLED' });
    const cup = await addProduct(t, shop, { price: 1000 });
    const unpaid = await t.rest<{ orderId: string }>('POST', `${shop.orders}/checkout`, {
      as: customer,
      body: { market: 'US', shippingMethodId: 'standard', items: [{ ...cup, quantity: 1 }], locale: 'it' },
    });
    await putOrder(`/${unpaid.body.orderId}/status`, { status: 'CANCELLED' });
    await t.app.drainJobs();
    const all = await subjects();
    expect(all.filter((subject) => subject.includes(String(number)))).toEqual([
      `Votre commande ${number} chez Shop a été annulée`,
    ]);
    const unpaidOrder = await fetchOrder(unpaid.body.orderId);
    expect(all.filter((subject) => subject.includes(String(unpaidOrder.number)))).toEqual([]);
    expect(detailErrors((await postOrder(manualOrder({ locale: 'not a locale' }))).body)).toEqual([
      'locale INVALID_LOCALE',
    ]);
  });
});
