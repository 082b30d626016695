/** OneOf inputs and enum fields: each is equivalent to the older string form. */
import { type GraphQLInputObjectType, isInputObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/generated/domains/routes.ts';
import {
  type CoercionRules,
  coerceVariables,
  graphqlCoercionRules,
  lenientCoercionRules,
} from '../../src/graphql/execute/coerce-variables.ts';
import { schemaDeprecations } from '../../src/graphql/schema/deprecations.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { callInGraphql, callInRest, type RouteInput } from '../support/protocol-clients.ts';
import { createSellingShop, detailErrors, type SellingShop } from '../support/shop-fixtures.ts';

let t: TestApp;
let shop: SellingShop;
let base: string;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off', WEBHOOK_ALLOW_PRIVATE: 'on' });
  shop = await createSellingShop(t);
  base = `/v1/businesses/${shop.businessId}`;
});

function oneOfTypes() {
  const types = Object.values(schema.getTypeMap()).filter(
    (type): type is GraphQLInputObjectType => isInputObjectType(type) && type.isOneOf,
  );
  return {
    oneOf: Object.fromEntries(types.map((type) => [type.name, type])),
    names: types.map(({ name }) => name),
  };
}

const send = <Body = Record<string, unknown>>(method: string, path: string, body: object) =>
  t.rest<Body & { id: string }>(method, `${base}${path}`, { as: shop.admin, body });

describe('a promo code', () => {
  const savePromoCode = async (method: string, path: string, body: object) => {
    const { body: promo } = await send<{ type: string; bps?: number; amount?: number; currency?: string }>(
      method,
      path,
      body,
    );
    return promo;
  };

  it('applies its new discount and drops the previous one', async () => {
    const promo = await savePromoCode('POST', '/promo-codes', {
      code: 'FORM',
      discount: { percentage: 1500 },
    });
    expect(promo).toMatchObject({ type: 'PERCENTAGE', bps: 1500 });
    const path = `/promo-codes/${promo.id}`;
    const fixed = await savePromoCode('PUT', path, { discount: { fixed: { amount: 300, currency: 'usd' } } });
    expect(fixed).toMatchObject({ type: 'FIXED', amount: 300, currency: 'USD' });
    expect(fixed).not.toHaveProperty('bps');
    const free = await savePromoCode('PUT', path, { discount: { freeShipping: true } });
    expect(free).toMatchObject({ type: 'FREE_SHIPPING' });
    expect(free).not.toHaveProperty('amount');
  });

  it.each([
    [{}, [['type', 'REQUIRED']]],
    [{ discount: {} }, [['discount', 'INVALID_VALUE']]],
    [{ discount: { percentage: 0 } }, [['discount.percentage', 'TOO_SMALL']]],
    [{ discount: { percentage: 1, freeShipping: true } }, [['discount', 'INVALID_VALUE']]],
    [{ discount: { freeShipping: false } }, [['discount.freeShipping', 'INVALID_VALUE']]],
    [{ discount: { fixed: { amount: 5 } } }, [['discount.fixed.currency', 'REQUIRED']]],
    [{ discount: { percentage: 1 }, bps: 2 }, [['discount', 'INVALID_VALUE']]],
  ])('%j is rejected', async (form, expectedErrors) => {
    const response = await send('POST', '/promo-codes', { code: 'WRONG', ...form });
    expect([response.status, detailErrors(response.body)]).toEqual([
      422,
      expectedErrors.map((pair) => pair.join(' ')),
    ]);
  });
});

describe('the owner of an entry', () => {
  it('is a collection, an order or a reservation', async () => {
    const blog = await send('POST', '/collections', { name: 'Forms' });
    const owner = async (ownedBy: object) =>
      (await send<{ owner: string }>('POST', '/entries', { ownedBy })).body.owner;
    expect(await owner({ collection: 'forms' })).toBe(`collection:${blog.body.id}`);
    expect(await owner({ reservation: 'r1' })).toBe('reservation:r1');
  });

  it.each([
    [{ ownedBy: { order: 'nobody' } }, ['ownedBy.order ORDER_NOT_FOUND']],
    [{ ownedBy: { collection: 'nobody' } }, ['ownedBy.collection COLLECTION_NOT_FOUND']],
    [{ ownedBy: { reservation: '' } }, ['ownedBy.reservation INVALID_OWNER']],
    [{ ownedBy: { reservation: 'r1' }, owner: 'reservation:r1' }, ['ownedBy INVALID_VALUE']],
    [{ ownedBy: { order: 'a', reservation: 'b' } }, ['ownedBy INVALID_VALUE']],
  ])('%j is rejected', async (input, expectedErrors) => {
    const response = await send('POST', '/entries', input);
    expect([response.status, detailErrors(response.body)]).toEqual([422, expectedErrors]);
  });
});

describe('an unknown oneOf field', () => {
  const { oneOf, names } = oneOfTypes();
  const detailsOf = (body: unknown) => (body as { details: object[] }).details;

  it.each(names)('is rejected for %s, by REST and GraphQL', async (type) => {
    const forms = Object.keys(oneOf[type]?.getFields() ?? {}).join(', ');
    const oneOfError = {
      field: 'form',
      error: 'INVALID_VALUE',
      message: `Must have exactly one of ${forms}.`,
    };
    const types = [{ name: 'form', type: oneOf[type] as GraphQLInputObjectType, hasDefault: false }];
    const unknown = { field: 'form.unknown', error: 'UNKNOWN_FIELD', message: 'There is no such field.' };
    const issues = (form: object, rules: CoercionRules) => coerceVariables(types, { form }, rules).issues;
    expect(issues({ unknown: 1 }, lenientCoercionRules)).toEqual([oneOfError]);
    expect(issues({ unknown: 1 }, graphqlCoercionRules)).toEqual([oneOfError, unknown]);
  });

  it('does not count as the content of a block', async () => {
    const route = routes.find(({ operation }) => operation.name === 'CreateEntry') as RestRoute;
    const request: RouteInput = {
      path: { businessId: shop.businessId },
      body: {
        ownedBy: { reservation: 'r9' },
        blocks: [{ id: 'a', type: null, content: { no: 1 }, value: 1 }],
      },
    };
    const rest = await callInRest(t, route, request, shop.admin);
    expect([rest.status, detailErrors(rest.body)]).toEqual([
      422,
      ['blocks.0.content INVALID_VALUE', 'blocks.0.type REQUIRED'],
    ]);
    const graphql = await callInGraphql(t, route, request, shop.admin);
    expect([graphql.status, graphql.body]).toMatchObject([422, { details: detailsOf(rest.body) }]);
  });
});

describe('the content of a block', () => {
  const blocks = (...given: [type: string, content: object][]) =>
    given.map(([type, content], index) => ({ id: `b${index}`, type, content }));
  const createEntry = async (given: object[]) => {
    const response = await send<{ blocks: { value: unknown }[] }>('POST', '/entries', {
      ownedBy: { reservation: 'r2' },
      blocks: given,
    });
    return response.status === 200
      ? response.body.blocks.map(({ value }) => value)
      : detailErrors(response.body);
  };

  it('is stored as the value of the block', async () => {
    const given = blocks(
      ['TEXT', { text: 'a' }],
      ['TEXT', { texts: [{ locale: 'en', text: 'b' }] }],
      ['NUMBER', { number: 1.5 }],
      ['BOOLEAN', { boolean: false }],
      ['DATE', { date: 0 }],
      ['GEO_LOCATION', { location: { latitude: 1, longitude: 2 } }],
      ['MULTI_SELECT', { options: ['x'] }],
    );
    const values = ['a', { en: 'b' }, 1.5, false, 0, { latitude: 1, longitude: 2 }, ['x']];
    expect(await createEntry(given)).toEqual(values);
    const product = await send<{ blocks: object[] }>('POST', '/products', { name: 'Form', blocks: given });
    expect(product.body.blocks).toEqual(
      given.map(({ id, type }, index) => expect.objectContaining({ id, type, value: values[index] })),
    );
    expect(JSON.stringify(product.body.blocks)).not.toContain('content');
  });

  it.each([
    [blocks(['NUMBER', { text: 'a' }]), ['blocks.0.value INVALID_TYPE']],
    [[{ id: 'a', type: 'TEXT', value: 'x', content: { text: 'y' } }], ['blocks.0.content INVALID_VALUE']],
    [
      blocks(['TEXT', { texts: [{ locale: '__proto__', text: 'b' }] }]),
      ['blocks.0.value.__proto__ INVALID_LOCALE', 'blocks.0.content.texts.0.locale INVALID_LOCALE'],
    ],
    [
      blocks([
        'TEXT',
        {
          texts: [
            { locale: 'en', text: 'b' },
            { locale: 'en', text: 'c' },
          ],
        },
      ]),
      ['blocks.0.content.texts.1.locale INVALID_VALUE'],
    ],
  ])('%j is rejected', async (given, expectedErrors) => {
    expect(await createEntry(given)).toEqual(expectedErrors);
  });
});

describe('enums', () => {
  it('set the string fields of plans, relationships and webhooks', async () => {
    const created = await send('POST', '/collections', {
      name: 'Letters',
      type: 'NEWSLETTER',
      blocks: [{ id: 'who', type: 'RELATIONSHIP', settings: { target: 'USER' } }],
      plans: [{ id: 'p', name: 'P', price: { amount: 100, currency: 'usd', every: 'WEEKLY' } }],
    });
    expect(created.body).toMatchObject({
      blocks: [{ settings: { targetType: 'USER' } }],
      plans: [{ price: { interval: 'WEEKLY' } }],
    });
    const hook = await send('POST', '/webhooks', {
      url: 'http://127.0.0.1:9/',
      topics: ['ORDER_ALL', 'ALL'],
    });
    expect(hook.body).toMatchObject({ events: ['order.*', '*'] });
    const { data } = await t.graphql(
      `query ($b: ID!, $c: ID!, $h: ID!) {
        collection(businessId: $b, id: $c) { blocks { settings { target } } plans { price { every } } }
        webhookEndpoint(businessId: $b, id: $h) { topics } }`,
      { b: shop.businessId, c: created.body.id, h: hook.body.id },
      { as: shop.admin },
    );
    expect(data).toEqual({
      collection: {
        blocks: [{ settings: { target: 'USER' } }],
        plans: [{ price: { every: 'WEEKLY' } }],
      },
      webhookEndpoint: { topics: ['ORDER_ALL', 'ALL'] },
    });
  });

  it.each([
    ['/webhooks', { url: 'http://127.0.0.1:9/' }, ['events REQUIRED']],
    ['/webhooks', { url: 'http://127.0.0.1:9/', topics: ['ALL'], events: ['*'] }, ['topics INVALID_VALUE']],
    ['/webhooks', { url: 'http://127.0.0.1:9/', topics: ['SOME'] }, ['topics.0 INVALID_VALUE']],
    [
      '/collections',
      {
        name: 'A',
        blocks: [{ id: 'a', type: 'RELATIONSHIP', settings: { target: 'USER', targetType: 'USER' } }],
      },
      ['blocks.0.settings.target INVALID_VALUE'],
    ],
  ])('%s rejects %j', async (path, body, expectedErrors) => {
    const response = await send('POST', path, body);
    expect([response.status, detailErrors(response.body)]).toEqual([422, expectedErrors]);
  });
});

it('deprecates in the schema exactly the coordinates of the deprecation table', () => {
  const isDeprecated = (element: { deprecationReason?: string | null | undefined }) =>
    element.deprecationReason != null;
  const coordinates = Object.values(schema.getTypeMap()).flatMap((type) => {
    // add-price-and-date-time-siblings.ts deprecates amounts and times in outputs.
    const isTable = ({ type: fieldType }: { type: unknown }) =>
      isInputObjectType(type) || !/^(?:Money|Timestamp)!?$/.test(String(fieldType));
    const fields = 'getFields' in type ? Object.values(type.getFields()).filter(isTable) : [];
    const values = 'getValues' in type ? type.getValues() : [];
    const args = isInputObjectType(type)
      ? []
      : (fields as { name: string; args?: GraphQLInputObjectType[] }[]).flatMap(({ name, args = [] }) =>
          args.filter(isDeprecated as never).map((arg) => `${type.name}.${name}.${arg.name}`),
        );
    return [
      ...[...fields, ...values].filter(isDeprecated).map(({ name }) => `${type.name}.${name}`),
      ...args,
    ];
  });
  expect(coordinates.sort()).toEqual(Object.keys(schemaDeprecations).sort());
});
