/** API versions: requests are upgraded, responses and errors downgraded, in the order of the dates. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { HttpRequest } from '../../src/http-message.ts';
import type { ApiVersionChange } from '../../src/rest/api-versions.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';

const { versionChanges } = vi.hoisted(() => {
  // Reset, so that the app of this file is loaded with the mocked versions.
  vi.resetModules();
  type Product = Record<string, unknown>;
  const isProducts = (route: string) => route.startsWith('GET /v1/businesses/:businessId/products');
  const mapProducts = (body: Product, convert: (product: Product) => Product) =>
    Array.isArray(body.items) ? { ...body, items: body.items.map(convert) } : convert(body);
  const versionChanges: readonly ApiVersionChange[] = [
    {
      date: '2026-02-01',
      upgradeRequest: ({ query, body: { label, ...body } }) => ({
        query: query.replace('fields=label', 'fields=title'),
        body: label === undefined ? body : { ...body, title: label },
      }),
      downgradeResponse: (body, route) =>
        isProducts(route) ? mapProducts(body, ({ title, ...rest }) => ({ ...rest, label: title })) : body,
    },
    {
      date: '2026-03-01',
      upgradeRequest: ({ query, body: { title, ...body } }) => ({
        query: query.replace('fields=title', 'fields=name'),
        body: title === undefined ? body : { ...body, name: title },
      }),
      downgradeResponse: (body, route) =>
        isProducts(route) ? mapProducts(body, ({ name, ...rest }) => ({ ...rest, title: name })) : body,
      downgradeError: ({ requestId: _new, ...body }) => body,
    },
    { date: '2026-04-01' },
  ];
  return { versionChanges };
});
vi.mock('../../src/rest/api-versions.ts', async (original) => {
  const { createApiVersionAdapters, ...others } =
    await original<typeof import('../../src/rest/api-versions.ts')>();
  return {
    ...others,
    createApiVersionAdapters: (first = '2026-01-01', changes = versionChanges) =>
      createApiVersionAdapters(first, changes),
  };
});

let t: TestApp;
let shop: Shop;
let products: string;
let id: string;
beforeAll(async () => {
  t = await testApp();
  shop = await t.shop();
  products = `/v1/businesses/${shop.businessId}/products`;
});
afterAll(() => {
  vi.doUnmock('../../src/rest/api-versions.ts');
  vi.resetModules();
});

const sendAt = (
  date: string,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
) =>
  t.rest<Record<string, unknown>>(method, path, {
    as: shop.admin,
    ...(body ? { body } : {}),
    headers: { ...headers, 'x-duet-version': date },
  });

describe('an API version', () => {
  it('upgrades requests and downgrades responses over several dates', async () => {
    const created = await sendAt('2026-01-01', 'POST', products, { label: 'Cup' });
    expect(created.body).toMatchObject({ name: 'Cup' });
    id = created.body.id as string;
    const read = async (date: string) => {
      const { body } = await sendAt(date, 'GET', `${products}/${id}`);
      return [body.label, body.title, body.name];
    };
    // Four rounds, so that responses are cached: none may be returned to another version.
    for (let times = 0; times < 4; times += 1) {
      expect(await read('2026-01-01')).toEqual(['Cup', undefined, undefined]);
      expect(await read('2026-02-01')).toEqual([undefined, 'Cup', undefined]);
      expect(await read('2026-03-01')).toEqual([undefined, undefined, 'Cup']);
      expect(await read('2026-04-01')).toEqual([undefined, undefined, 'Cup']);
    }
    expect((await sendAt('2026-01-01', 'GET', products)).body.items).toMatchObject([{ label: 'Cup' }]);
    expect((await sendAt('2026-01-01', 'GET', `${products}/${id}?fields=label`)).body).toEqual({
      label: 'Cup',
    });
  });

  it('has its own ETags, which work for conditional requests', async () => {
    const path = `${products}/${id}`;
    const [old, now] = [await sendAt('2026-01-01', 'GET', path), await sendAt('2026-03-01', 'GET', path)];
    const tag = old.headers.get('etag') ?? '';
    expect(tag).not.toBe(now.headers.get('etag'));
    expect((await sendAt('2026-01-01', 'GET', path, undefined, { 'if-none-match': tag })).status).toBe(304);
    expect((await sendAt('2026-03-01', 'GET', path, undefined, { 'if-none-match': tag })).status).toBe(200);
    expect((await sendAt('2026-01-01', 'PUT', path, { label: 'Mug' }, { 'if-match': tag })).status).toBe(200);
    expect((await sendAt('2026-01-01', 'PUT', path, { label: 'Mug' }, { 'if-match': tag })).status).toBe(412);
  });

  it('downgrades errors, and leaves other responses unchanged', async () => {
    const [old, now] = await Promise.all(
      ['2026-02-01', '2026-03-01'].map((date) => sendAt(date, 'GET', `${products}/nowhere`)),
    );
    expect([old?.status, old?.body.error, old?.body.requestId]).toEqual([404, 'NOT_FOUND', undefined]);
    expect(now?.body).toHaveProperty('requestId');
    const { body } = await sendAt('2026-01-01', 'GET', `/v1/businesses/${shop.businessId}`);
    expect(body).toHaveProperty('name');
  });

  it('needs no conversion for the newest version', async () => {
    const { createApiVersionAdapters } = await import('../../src/rest/api-versions.ts');
    const adapterOf = (version?: string) =>
      createApiVersionAdapters().of({ header: () => version } as unknown as HttpRequest);
    expect(adapterOf('2026-04-01')).toBe(adapterOf());
    expect([adapterOf('2026-03-01').downgradeResponse, adapterOf('2026-02-01').downgradeResponse]).toEqual([
      undefined,
      expect.any(Function),
    ]);
  });
});
