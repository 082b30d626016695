/** API version 2026-11-18: unknown fields, parameters and too large pages are errors, creates return 201, errors are listed once. */
import { beforeAll, describe, expect, it } from 'vitest';
import { defaultApiVersion } from '../../src/rest/api-versions.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { createEmptyOrder } from '../support/insert-empty-order.ts';

let t: TestApp;
let shop: Shop;
let base: string;
beforeAll(async () => {
  t = await testApp();
  shop = await t.shop();
  base = `/v1/businesses/${shop.businessId}`;
});

type Body = Record<string, unknown> & { details: { field: string; error: string; message: string }[] };

const send = (version: string | undefined, method: string, path: string, body?: object) =>
  t.rest<Body>(method, path, {
    as: shop.admin,
    headers: version === undefined ? {} : { 'x-duet-version': version },
    ...(body ? { body } : {}),
  });
const sendStrict = (method: string, path: string, body?: object) => send('2026-11-18', method, path, body);

const unpriced = {
  name: 'Cup',
  nmae: 'Mug',
  variants: [{ sku: 'CUP', price: 1900, inventory: { tracked: true, quantty: 4 } }],
};

describe('unknown fields of a body', () => {
  it('are errors with the closest name, together with all other errors', async () => {
    const { status, body } = await sendStrict('POST', `${base}/products`, { ...unpriced, slug: 7 });
    expect(status).toBe(422);
    expect(body.details).toEqual([
      { field: 'slug', error: 'INVALID_TYPE', message: 'Must be a string.' },
      expect.objectContaining({
        field: 'variants.0.inventory.quantty',
        message: expect.stringMatching(/Did you mean quantity\?$/),
      }),
      expect.objectContaining({ field: 'variants.0.price', error: 'UNKNOWN_FIELD' }),
      { field: 'nmae', error: 'UNKNOWN_FIELD', message: 'There is no such field. Did you mean name?' },
    ]);
    expect((await send(undefined, 'GET', `${base}/products`)).body.items).toEqual([]);
  });

  it.each([undefined, '2026-11-01', defaultApiVersion])(
    'are ignored and named in version %s',
    async (version) => {
      const { status, body, headers } = await send(version, 'POST', `${base}/products`, unpriced);
      expect([status, body.name]).toEqual([200, 'Cup']);
      expect(headers.get('x-ignored-fields')).toBe('variants.0.inventory.quantty, variants.0.price, nmae');
      expect(
        (await send(version, 'DELETE', `${base}/products/${body.id}`)).headers.get('x-ignored-fields'),
      ).toBeNull();
    },
  );

  it('are found in bodies that set variables instead of an input', async () => {
    const wrong = { tokn: 'x' };
    const strict = await sendStrict('POST', `${base}/collections/unsubscribe`, wrong);
    expect(strict.body.details).toContainEqual({
      field: 'tokn',
      error: 'UNKNOWN_FIELD',
      message: 'There is no such field. Did you mean token?',
    });
    const lenient = await send(undefined, 'POST', `${base}/collections/unsubscribe`, wrong);
    expect(lenient.headers.get('x-ignored-fields')).toBe('tokn');
  });

  it('do not include the documented fields that are ignored or renamed', async () => {
    const order = await createEmptyOrder(t, shop, shop.admin);
    const path = `${base}/orders/${order}/payment-status`;
    const { status, headers } = await sendStrict('PUT', path, { id: order, paymentStatus: 'FAILED' });
    expect([status, headers.get('x-ignored-fields')]).toEqual([200, null]);
  });

  it('are listed in a header of bounded size', async () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`ü\r\n\ud800${index}`, 1]));
    const { status, headers } = await send(undefined, 'POST', `${base}/products`, { name: 'Plate', ...many });
    expect([status, headers.get('x-ignored-fields')?.length]).toEqual([200, expect.any(Number)]);
    expect(headers.get('x-ignored-fields')).toMatch(/^[\w%., -]{1,1000}$/);
    const strict = await sendStrict('POST', `${base}/products`, { name: 'Plate', ...many });
    expect([strict.status, strict.body.details.length]).toEqual([422, 101]);
  });
});

describe('unknown query parameters', () => {
  it('are errors with the closest name', async () => {
    const list = await sendStrict('GET', `${base}/products?categry=cups&limit=5&ids[]=x&fields=name&zzz=`);
    expect([list.status, list.body.details]).toEqual([
      422,
      [
        {
          field: 'categry',
          error: 'UNKNOWN_FIELD',
          message: 'There is no such parameter. Did you mean category?',
        },
        { field: 'zzz', error: 'UNKNOWN_FIELD', message: 'There is no such parameter.' },
      ],
    ]);
    const removed = await sendStrict('DELETE', `${base}/categories/none?forced=true`);
    expect(removed.body.details).toEqual([
      expect.objectContaining({ field: 'forced', message: expect.stringContaining('Did you mean force?') }),
    ]);
    const created = await sendStrict('POST', `${base}/products?nmae=Cup`, { name: 'Cup' });
    expect([created.status, created.body.details.map(({ field }) => field)]).toEqual([422, ['nmae']]);
  });

  it.each([undefined, '2026-11-01', defaultApiVersion])(
    'are ignored and named in version %s, also by repeated requests',
    async (version) => {
      for (let request = 0; request < 3; request += 1) {
        const list = await send(version, 'GET', `${base}/products?categry=cups&limit=5`);
        expect([list.status, list.headers.get('x-ignored-fields')]).toEqual([200, 'categry']);
      }
      const list = await send(version, 'GET', `${base}/products?category=cups&limit=5`);
      expect(list.headers.get('x-ignored-fields')).toBeNull();
    },
  );
});

describe('creates', () => {
  it('return 201 with the path of the record', async () => {
    const { status, body, headers } = await sendStrict('POST', `${base}/products`, { name: 'Bowl' });
    const location = headers.get('location') ?? '';
    expect([status, location]).toEqual([201, `${base}/products/${body.id}`]);
    expect((await sendStrict('GET', location)).body.name).toBe('Bowl');
    const older = await send(undefined, 'POST', `${base}/products`, { name: 'Bowl 2' });
    expect([older.status, older.headers.get('location')]).toEqual([200, null]);
  });

  it('have a path if one segment of it comes from the response', async () => {
    const market = { code: 'ch', currency: 'CHF', taxBps: 810 };
    const created = await sendStrict('POST', `${base}/markets`, market);
    expect([created.status, created.headers.get('location')]).toEqual([201, `${base}/markets/ch`]);
    const invited = await sendStrict('POST', `${base}/invitations`, {
      email: 'new@people.example',
      roleId: shop.roles.EDITOR,
    });
    expect([invited.status, invited.headers.get('location')]).toEqual([201, null]);
  });
});

describe('a page size', () => {
  it('above the maximum is an error', async () => {
    const { status, body } = await sendStrict('GET', `${base}/products?limit=101`);
    expect([status, body.details]).toEqual([
      422,
      [{ field: 'limit', error: 'TOO_BIG', message: 'Must be at most 100.' }],
    ]);
    expect((await sendStrict('GET', `${base}/products?limit=100`)).status).toBe(200);
    expect((await send(undefined, 'GET', `${base}/products?limit=101`)).status).toBe(200);
  });
});

describe('errors', () => {
  it('are listed once', async () => {
    expect(Object.keys((await sendStrict('GET', `${base}/products/none`)).body)).toEqual([
      'error',
      'message',
      'details',
      'requestId',
    ]);
    expect(Object.keys((await send(undefined, 'GET', `${base}/products/none`)).body)).toEqual([
      'error',
      'message',
      'details',
      'validationErrors',
      'requestId',
    ]);
  });
});

describe('PATCH', () => {
  it('changes the fields of the body', async () => {
    const { body } = await sendStrict('POST', `${base}/products`, { name: 'Jug', description: 'Blue' });
    const changed = await sendStrict('PATCH', `${base}/products/${body.id}`, { name: 'Pitcher' });
    expect(changed.body).toMatchObject({ name: 'Pitcher', description: 'Blue', version: 2 });
    const me = await sendStrict('PATCH', '/v1/users/me', { name: 'Ada' });
    expect([me.status, me.body.name]).toEqual([200, 'Ada']);
    const order = await createEmptyOrder(t, shop, shop.admin);
    const note = { blocks: [{ id: 'note', type: 'TEXT', value: 'Ring twice' }] };
    expect((await sendStrict('PATCH', `${base}/orders/${order}`, note)).body).toMatchObject(note);
  });
});
