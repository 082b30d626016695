/** Mail templates of a business: edited, previewed, tested and reset in both protocols, and used by the mails that customers receive. */
import { beforeAll, describe, expect, it } from 'vitest';
import { mailTemplateKinds } from '../../src/domains/mail-templates/rendering/mail-kinds-and-placeholders.ts';
import { parseMailTemplate } from '../../src/domains/mail-templates/rendering/parse-template.ts';
import { renderMailTemplateNodes } from '../../src/domains/mail-templates/rendering/render-template-nodes.ts';
import { uniqueEmail } from '../support/accounts.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import {
  addProduct,
  addPromoCode,
  createSellingShop,
  detailErrors,
  type SellingShop,
} from '../support/shop-fixtures.ts';

interface Template {
  [field: string]: unknown;
  html: string;
}

let t: TestApp;
let shop: SellingShop;
beforeAll(async () => {
  t = await testApp({ PUBLIC_URL: 'http://pay.test' });
  shop = await createSellingShop(t);
  await addPromoCode(t, shop, { code: 'ALL', type: 'FREE_SHIPPING' });
});

const templates = () => `/v1/businesses/${shop.businessId}/mail-templates`;
const call = <Body = Template>(
  method: string,
  path: string,
  body?: object,
  as: Person | undefined = shop.admin,
  headers = {},
) =>
  t.rest<Body>(method as 'GET', `${templates()}${path}`, {
    ...(as ? { as } : {}),
    ...(body ? { body: { ...body } } : {}),
    headers,
  });

/** Subject and text of the mail about an order of a guest who pays nothing. */
async function confirmationMail(locale: string) {
  const email = uniqueEmail();
  const cup = await addProduct(t, shop, { price: 0, stock: 5, name: 'Cup <b>' });
  const { status, body } = await t.rest('POST', `${shop.orders}/checkout`, {
    as: await t.guest(),
    body: {
      market: 'US',
      shippingMethodId: 'standard',
      promoCode: 'ALL',
      locale,
      items: [{ ...cup, quantity: 1 }],
      email,
    },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  const mail = (await t.outbox(email)).at(-1);
  if (!mail) throw new Error('No mail was sent.');
  return mail;
}

describe('mail templates', () => {
  it('are listed for every kind and language, with the placeholders of the kind', async () => {
    const { body } = await call<{ templates: Template[] }>('GET', '');
    expect(body.templates).toHaveLength(mailTemplateKinds.length * 5);
    const [shipped, ...others] = (
      await call<{ templates: Template[] }>('GET', '?kind=ORDER_SHIPPED&locale=DE-at')
    ).body.templates;
    expect([shipped, others]).toMatchObject([{ locale: 'de-AT', isCustomized: false, version: 0 }, []]);
    expect(shipped?.subject).toBe('Ihre Bestellung {{order.number}} bei {{shop.name}} ist unterwegs');
    const { body: details } = await call('GET', '/ORDER_SHIPPED/de-AT');
    expect(details).toMatchObject({ ...shipped, placeholders: expect.any(Array) });
    expect(JSON.stringify(details.placeholders)).toContain('tracking.url');
  });

  it('name every mistake at once: unknown placeholders, open sections, values in attributes', async () => {
    const mistakes = {
      subject: 'Order {{order.nubmer}}',
      html: '<p>{{#lines}}{{line.name}}</p><a href="{{customer.name}}">x</a>{{tracking.url}}',
      text: ' ',
    };
    const { status, body } = await call('PATCH', '/ORDER_CONFIRMED/de', mistakes);
    expect([status, detailErrors(body).sort()]).toEqual([
      422,
      [
        'html INVALID_FORMAT',
        'html INVALID_FORMAT',
        'html UNKNOWN_PLACEHOLDER',
        'subject UNKNOWN_PLACEHOLDER',
        'text INVALID_FORMAT',
      ],
    ]);
    expect(JSON.stringify(body)).toContain('Did you mean order.number?');
    const invalid = await call('PATCH', '/ORDER_CONFIRMED/x_y', { html: 'y'.repeat(20_001) });
    expect(detailErrors(invalid.body)).toEqual(['locale INVALID_LOCALE', 'html TOO_LONG']);
    const linkless = await call('PATCH', '/ORDER_LINK/de', { html: '<p>Hello</p>' });
    expect(detailErrors(linkless.body)).toEqual(['html INVALID_FORMAT']);
    expect((await call('GET', '/ORDER_CONFIRMED/de')).body).toMatchObject({ isCustomized: false });
  });

  it('are for admins of the business only, under their version, and in the change history', async () => {
    const editor = await t.addMember(shop, await t.person(), 'EDITOR');
    const other = await t.shop();
    const attempt = (as: Person | undefined, headers = {}) =>
      call('PATCH', '/ORDER_REFUNDED/it', { subject: 'Rimborso' }, as, headers);
    expect((await attempt(editor)).status).toBe(403);
    expect((await attempt(other.admin)).status).toBe(403);
    expect((await call('GET', '', undefined, other.admin)).status).toBe(403);
    expect((await t.rest('GET', templates())).status).toBe(401);
    expect((await attempt(shop.admin)).body).toMatchObject({ version: 1, isCustomized: true });
    expect((await attempt(shop.admin, { 'if-match': '"7"' })).status).toBe(412);
    const { body: changes } = await t.rest<{ items: unknown[] }>(
      'GET',
      `/v1/businesses/${shop.businessId}/changes?kind=MAIL_TEMPLATE`,
      { as: shop.admin },
    );
    expect(changes.items).toMatchObject([{ action: 'CREATE', after: { locale: 'it' } }]);
  });

  it('accept concurrent first edits of different parts', async () => {
    const edits = await Promise.all(
      [{ subject: 'A' }, { text: 'B' }].map((body) => call('PATCH', '/ORDER_CANCELLED/fr', body)),
    );
    expect(edits.map(({ status }) => status)).toEqual([200, 200]);
    expect((await call('GET', '/ORDER_CANCELLED/fr')).body).toMatchObject({ subject: 'A', text: 'B' });
  });
});

describe('a mail', () => {
  it('uses the template of its locale, then of its language, then of the default locale', async () => {
    const german = {
      subject: 'Danke, {{order.number}}!',
      html: '<script>alert(1)</script><p onclick="x()">Hallo {{customer.name}}</p><ul>{{#lines}}<li>{{line.name}}</li>{{/lines}}</ul><p><a href="{{order.url}}">Ansehen</a></p>',
      text: 'Nur Text: {{#lines}}{{line.name}};{{/lines}} {{order.url}}',
    };
    const edited = await call('PUT', '/ORDER_CONFIRMED/de', german);
    expect([edited.status, edited.body.html]).toEqual([200, expect.not.stringMatching(/script|onclick/)]);
    const mail = await confirmationMail('de-AT');
    expect(mail.subject).toMatch(/^Danke, \d+!$/);
    expect(mail.html).toContain('<li>Cup &lt;b&gt;');
    expect(mail.text).toMatch(/^Nur Text: Cup <b>.*; http:\/\/pay\.test\/orders\/view\?token=\S+\n\nShop/);
    expect((await confirmationMail('nl')).subject).toMatch(/^Your order/);
    await t.rest('PATCH', `/v1/businesses/${shop.businessId}/branding`, {
      as: shop.admin,
      body: { defaultLocale: 'de' },
    });
    expect((await confirmationMail('nl')).subject).toMatch(/^Danke/);
    expect((await confirmationMail('fr')).subject).toMatch(/^Votre commande/);
    await call('PUT', '/ORDER_CONFIRMED/nl', { subject: 'Bedankt' });
    expect((await confirmationMail('nl')).subject).toBe('Bedankt');
    const reset = await call('DELETE', '/ORDER_CONFIRMED/de');
    expect(reset.body).toMatchObject({ isCustomized: false, version: 0 });
    expect((await confirmationMail('de')).subject).toMatch(/^Ihre Bestellung/);
    expect((await call('DELETE', '/ORDER_CONFIRMED/de')).status).toBe(200);
  });

  it('is previewed with sample values, also from a draft that is not saved', async () => {
    const draft = { html: '<p>{{customer.name}} & {{shop.name}}</p>' };
    const { body } = await call('POST', '/ORDER_SHIPPED/en/preview', draft);
    expect(body).toMatchObject({
      subject: expect.stringContaining('1001'),
      text: expect.stringMatching(/^Ada Lovelace & Shop/),
    });
    expect(body.html).toContain('<p style="margin:0 0 16px">Ada Lovelace &amp; Shop</p>');
    const refused = await call('POST', '/ORDER_SHIPPED/en/preview', { html: '{{nothing}}' });
    expect(detailErrors(refused.body)).toEqual(['html UNKNOWN_PLACEHOLDER']);
    expect((await call('GET', '/ORDER_SHIPPED/en')).body).toMatchObject({ version: 0 });
  });

  it('is sent as a test to the confirmed address of the viewer only', async () => {
    const unconfirmed = await t.addMember(shop, await t.person(), 'ADMIN');
    const email = uniqueEmail();
    const user = { where: { id: unconfirmed.userId } };
    await t.db.prisma.user.update({ ...user, data: { email, isConfirmed: false } });
    const refused = await call('POST', '/ORDER_LINK/en/test', {}, unconfirmed);
    expect(detailErrors(refused.body)).toEqual(['email NOT_CONFIRMED']);
    await t.db.prisma.user.update({ ...user, data: { isConfirmed: true } });
    const sent = await call('POST', '/ORDER_LINK/en/test', { subject: 'Draft' }, unconfirmed);
    expect([sent.status, sent.body]).toEqual([200, { email }]);
    const [mail] = await t.outbox(email);
    expect(mail?.subject).toBe('[Test] Draft');
  });
});

describe('template parsing', () => {
  it('never expands values, and bounds the text of all lines', () => {
    const { nodes, problems } = parseMailTemplate(
      '{{customer.name}}{{#lines}}{{line.name}}{{/lines}}',
      'ORDER_LINK',
    );
    expect(problems).toEqual([]);
    const lines = Array.from({ length: 1000 }, () => ({ name: 'x'.repeat(400), quantity: '1', total: '' }));
    const text = renderMailTemplateNodes(
      nodes,
      { fields: { 'customer.name': '{{order.url}}<' }, lines },
      'html',
    );
    expect(text.slice(0, 17)).toBe('{{order.url}}&lt;');
    expect(text.length).toBeLessThan(251_000);
    expect(parseMailTemplate('{{shop.name}}'.repeat(201), 'ORDER_LINK').problems).toHaveLength(1);
  });
});
