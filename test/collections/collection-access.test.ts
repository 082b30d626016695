/** Visibility of collections, and the permissions to change them. */
import { describe, expect, it } from 'vitest';
import type { Person } from '../support/app.ts';
import { collections, createCollection, editor, guest, other, shop, t } from './setup.ts';

describe('visibility and permissions', () => {
  it('returns drafts only to editors, in every query', async () => {
    const { body } = await createCollection({ name: 'Secret', status: 'DRAFT' });
    const count = `query($b: ID!) { collections(businessId: $b) { totalCount nodes { id } } }`;
    const visibleTo = async (as: Person) => {
      const list = await t.rest<{ items: { id: string }[] }>('GET', `${collections}?limit=100`, { as });
      const graphql = await t.graphql(count, { b: shop.businessId }, { as });
      const counted = graphql.data?.collections as { totalCount: number; nodes: unknown[] } | undefined;
      return {
        read: (await t.rest('GET', `${collections}/${body.id}`, { as })).status,
        bySlug: (await t.rest('GET', `${collections}/${body.slug}`, { as })).status,
        listed: list.body.items.some(({ id }) => id === body.id),
        filtered: (
          await t.rest<{ items: unknown[] }>('GET', `${collections}?status=DRAFT&ids=${body.id}`, { as })
        ).body.items.length,
        counted: counted?.totalCount === counted?.nodes.length,
      };
    };
    const hidden = { read: 404, bySlug: 404, listed: false, filtered: 0, counted: true };
    expect(await visibleTo(guest)).toEqual(hidden);
    expect(await visibleTo(other.admin)).toEqual(hidden);
    expect(await visibleTo(editor)).toEqual({
      read: 200,
      bySlug: 200,
      listed: true,
      filtered: 1,
      counted: true,
    });
  });

  it.each([
    ['an unauthenticated client', 401, () => undefined],
    ['a guest', 403, () => guest],
    ['the admin of another business', 403, () => other.admin],
    ['an editor', 422, () => editor],
  ] as [string, number, () => Person | undefined][])(
    'creating a collection as %s returns %i',
    async (_label, status, as) => {
      expect((await t.rest('POST', collections, { as: as(), body: { name: 7 } })).status).toBe(status);
      const generate = await t.rest('POST', `${collections}/blocks/generate`, {
        as: as(),
        body: { prompt: 7 },
      });
      expect(generate.status).toBe(status);
    },
  );

  it('returns 404 to staff of another business', async () => {
    const { body } = await createCollection({ name: 'Wall' });
    for (const method of ['PUT', 'DELETE']) {
      const payload = method === 'PUT' ? { name: 'Mine' } : undefined;
      for (const [businessId, as, status] of [
        [shop.businessId, other.admin, 404],
        [other.businessId, other.admin, 404],
        [shop.businessId, guest, 403],
        [shop.businessId, undefined, 401],
      ] as const) {
        const path = `/v1/businesses/${businessId}/collections/${body.id}`;
        const answer = await t.rest(method, path, { as, body: payload });
        expect([method, answer.status]).toEqual([method, status]);
      }
    }
    expect((await t.rest('GET', `${collections}/${body.id}`, { as: guest })).body).toMatchObject({
      name: 'Wall',
      version: 1,
    });
  });

  it('lists collections with one SQL statement at any page size', async () => {
    const costs: number[] = [];
    for (const limit of [1, 10, 100]) {
      t.statements.length = 0;
      await t.rest('GET', `${collections}?limit=${limit}`, { as: guest });
      costs.push(t.statements.length);
    }
    expect(costs).toEqual([1, 1, 1]);
  });
});
