/** Steps between dated wires: requests go up, answers and failures come down, in the order of their dates. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { HttpRequest } from '../../src/http-message.ts';
import type { ApiVersionChange } from '../../src/rest/api-versions.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';

const { steps } = vi.hoisted(() => {
  // The app that is made here has these steps, whatever other files have loaded.
  vi.resetModules();
  type Product = Record<string, unknown>;
  const isProducts = (row: string) => row.startsWith('GET /v1/businesses/:businessId/products');
  const each = (body: Product, show: (product: Product) => Product) =>
    Array.isArray(body.items) ? { ...body, items: body.items.map(show) } : show(body);
  const steps: readonly ApiVersionChange[] = [
    {
      date: '2026-02-01',
      upgradeRequest: ({ query, body: { label, ...body } }) => ({
        query: query.replace('fields=label', 'fields=title'),
        body: label === undefined ? body : { ...body, title: label },
      }),
      downgradeResponse: (body, row) =>
        isProducts(row) ? each(body, ({ title, ...rest }) => ({ ...rest, label: title })) : body,
    },
    {
      date: '2026-03-01',
      upgradeRequest: ({ query, body: { title, ...body } }) => ({
        query: query.replace('fields=title', 'fields=name'),
        body: title === undefined ? body : { ...body, name: title },
      }),
      downgradeResponse: (body, row) =>
        isProducts(row) ? each(body, ({ name, ...rest }) => ({ ...rest, title: name })) : body,
      downgradeError: ({ requestId: _new, ...body }) => body,
    },
    { date: '2026-04-01' },
  ];
  return { steps };
});
vi.mock('../../src/rest/api-versions.ts', async (original) => {
  const { createVersionAdapters: createVersions, ...rest } =
    await original<typeof import('../../src/rest/api-versions.ts')>();
  return {
    ...rest,
    createVersions: (first = '2026-01-01', changes = steps) => createVersions(first, changes),
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

const at = (
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

describe('a step', () => {
  it('brings requests up and takes answers down, over several dates', async () => {
    const created = await at('2026-01-01', 'POST', products, { label: 'Cup' });
    expect(created.body).toMatchObject({ name: 'Cup' });
    id = created.body.id as string;
    const read = async (date: string) => {
      const { body } = await at(date, 'GET', `${products}/${id}`);
      return [body.label, body.title, body.name];
    };
    // Often enough for texts to be kept, of which none may be shown to another wire.
    for (let times = 0; times < 4; times += 1) {
      expect(await read('2026-01-01')).toEqual(['Cup', undefined, undefined]);
      expect(await read('2026-02-01')).toEqual([undefined, 'Cup', undefined]);
      expect(await read('2026-03-01')).toEqual([undefined, undefined, 'Cup']);
      expect(await read('2026-04-01')).toEqual([undefined, undefined, 'Cup']);
    }
    expect((await at('2026-01-01', 'GET', products)).body.items).toMatchObject([{ label: 'Cup' }]);
    expect((await at('2026-01-01', 'GET', `${products}/${id}?fields=label`)).body).toEqual({ label: 'Cup' });
  });

  it('has tags of its own, which guard as the others do', async () => {
    const path = `${products}/${id}`;
    const [old, now] = [await at('2026-01-01', 'GET', path), await at('2026-03-01', 'GET', path)];
    const tag = old.headers.get('etag') ?? '';
    expect(tag).not.toBe(now.headers.get('etag'));
    expect((await at('2026-01-01', 'GET', path, undefined, { 'if-none-match': tag })).status).toBe(304);
    expect((await at('2026-03-01', 'GET', path, undefined, { 'if-none-match': tag })).status).toBe(200);
    expect((await at('2026-01-01', 'PUT', path, { label: 'Mug' }, { 'if-match': tag })).status).toBe(200);
    expect((await at('2026-01-01', 'PUT', path, { label: 'Mug' }, { 'if-match': tag })).status).toBe(412);
  });

  it('takes failures down, and leaves what it does not know', async () => {
    const [old, now] = await Promise.all(
      ['2026-02-01', '2026-03-01'].map((date) => at(date, 'GET', `${products}/nowhere`)),
    );
    expect([old?.status, old?.body.error, old?.body.requestId]).toEqual([404, 'NOT_FOUND', undefined]);
    expect(now?.body).toHaveProperty('requestId');
    const { body } = await at('2026-01-01', 'GET', `/v1/businesses/${shop.businessId}`);
    expect(body).toHaveProperty('name');
  });

  it('costs nothing to who is on the newest wire', async () => {
    const { createVersionAdapters: createVersions } = await import('../../src/rest/api-versions.ts');
    const asked = (version?: string) => createVersions()({ header: () => version } as unknown as HttpRequest);
    expect(asked('2026-04-01')).toBe(asked());
    expect([asked('2026-03-01').downgradeResponse, asked('2026-02-01').downgradeResponse]).toEqual([
      undefined,
      expect.any(Function),
    ]);
  });
});
