/** Collections over REST and GraphQL: create, read, update and delete. */
import { describe, expect, it } from 'vitest';
import { collections, createCollection, editor, guest, shop, t, uuid } from './setup.ts';

describe('create and read', () => {
  it('returns the same collection from create, get, list and GraphQL', async () => {
    const blocks = [
      { id: 'title', type: 'TEXT', label: 'Title', required: true, settings: { maxLength: 200 } },
      { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } },
      { id: 'author', type: 'RELATIONSHIP', settings: { targetType: 'USER' } },
      { id: 'tags', type: 'MULTI_SELECT', settings: { options: ['a', 'b'] } },
    ];
    const plans = [
      {
        id: 'pro',
        name: 'Pro',
        description: 'All of it',
        price: { amount: 9_900_000_000, currency: 'usd', interval: 'MONTHLY' },
        features: ['Archive'],
      },
    ];
    const created = await createCollection<{ id: string }>({
      name: 'Weekly letter',
      slug: 'weekly',
      description: 'News',
      type: 'NEWSLETTER',
      blocks,
      plans,
      statuses: [{ id: 's1', status: 'PUBLISHED' }],
      id: 'ignored',
      businessId: 'ignored',
    });
    expect(created.status).toBe(200);
    expect(created.body).toEqual({
      id: uuid,
      businessId: shop.businessId,
      name: 'Weekly letter',
      slug: 'weekly',
      description: 'News',
      type: 'NEWSLETTER',
      blocks,
      plans,
      doubleOptIn: false,
      statuses: [
        {
          id: 's1',
          status: 'PUBLISHED',
          changedBy: 'USER',
          userId: editor.userId,
          timestamp: expect.any(Number),
        },
      ],
      version: 1,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    for (const address of [created.body.id, 'weekly', `${shop.businessId}:en:weekly`]) {
      const read = await t.rest('GET', `${collections}/${address}`, { as: editor });
      expect([read.status, read.body]).toEqual([200, created.body]);
      expect(read.headers.get('etag')).toMatch(/^"1-/);
    }
    const listed = await t.rest<{ items: unknown[]; cursor: null }>('GET', `${collections}?type=newsletter`, {
      as: editor,
    });
    expect(listed.body).toEqual({ items: [created.body], cursor: null });
    const viaGraphql = await t.graphql(
      `query($b: ID!) { collection(businessId: $b, id: "weekly") {
        slug status isNewsletter plans { id: key price { amount interval } } blocks { id: key settings { variant } } } }`,
      { b: shop.businessId },
      { as: guest },
    );
    expect(viaGraphql).toMatchObject({
      data: {
        collection: {
          slug: 'weekly',
          status: 'PUBLISHED',
          isNewsletter: true,
          plans: [{ id: 'pro', price: { amount: 9_900_000_000, interval: 'MONTHLY' } }],
          blocks: [
            { id: 'title' },
            { id: 'body', settings: { variant: 'HTML' } },
            { id: 'author' },
            { id: 'tags' },
          ],
        },
      },
      errors: [],
    });
  });

  it('requires only a name; defaults to PUBLISHED, no plans and a unique slug', async () => {
    const [first, second] = [
      await createCollection({ name: 'Our Blog' }),
      await createCollection({ name: 'Our Blog' }),
    ];
    expect([first.body.slug, second.body.slug]).toEqual(['our-blog', 'our-blog-2']);
    expect(first.body).toMatchObject({ type: 'STANDARD', blocks: [], statuses: [{ status: 'PUBLISHED' }] });
    expect(first.body).not.toHaveProperty('plans');
    const duplicateSlug = await createCollection({ name: 'X', slug: 'our-blog' });
    expect(duplicateSlug).toMatchObject({
      status: 422,
      body: { details: [{ field: 'slug', error: 'SLUG_TAKEN' }] },
    });
  });

  it('returns the billing interval of every plan, ONCE by default', async () => {
    const price = { amount: 500, currency: 'usd' };
    const plansWithIntervals = [undefined, null, 'once', 'Yearly'].map((interval, index) => ({
      id: `plan-${index}`,
      name: 'Plan',
      price: interval === undefined ? price : { ...price, interval },
    }));
    const created = await createCollection<{ id: string; plans: { price: object }[] }>({
      name: 'Intervals',
      type: 'NEWSLETTER',
      plans: plansWithIntervals,
    });
    const expectedPrices = ['ONCE', 'ONCE', 'ONCE', 'YEARLY'].map((interval) => ({ ...price, interval }));
    expect(created.body.plans.map((plan) => plan.price)).toEqual(expectedPrices);
    const { body } = await t.rest('GET', `${collections}/${created.body.id}`, { as: guest });
    expect(body).toMatchObject({ plans: expectedPrices.map((expectedPrice) => ({ price: expectedPrice })) });
    const wrong = { name: 'Wrong', price: { ...price, interval: 'daily' } };
    expect((await createCollection({ name: 'Wrong', type: 'NEWSLETTER', plans: [wrong] })).status).toBe(422);
  });

  it('replays the first response for the same idempotency key', async () => {
    const headers = { 'idempotency-key': 'collection-1' };
    const body = { name: 'Once', type: 'NEWSLETTER', plans: [{ name: 'Free' }] };
    const [first, second] = [
      await t.rest('POST', collections, { as: editor, headers, body }),
      await t.rest('POST', collections, { as: editor, headers, body }),
    ];
    expect(second.body).toEqual(first.body);
    expect(first.body).toMatchObject({
      plans: [
        {
          id: uuid,
          name: 'Free',
          description: '',
          price: { amount: 0, currency: 'usd', interval: 'MONTHLY' },
          features: [],
        },
      ],
    });
    const another = await t.rest('POST', collections, { as: editor, headers, body: { name: 'Other' } });
    expect(another.status).toBe(409);
  });

  it('reports all validation errors at once', async () => {
    const answer = await createCollection<{ details: { field: string; error: string }[] }>({
      name: '',
      slug: 'no slug',
      blocks: [
        { id: 'a', type: 'TEXT', settings: { maxLength: 0 } },
        { id: 'a', type: 'NUMBER' },
        { id: '__proto__', type: 'TEXT' },
        { id: 'r', type: 'RELATIONSHIP', settings: { targetType: 'PLANET' } },
        { id: 'o', type: 'SELECT', settings: { options: ['x', 'x'] } },
        { id: 'w', type: 'WIDGET' },
        { id: 'd', type: 'DATE', value: '2024-01-01' },
      ],
      plans: [
        { id: 'p', name: 'P', price: { amount: -1, currency: 'XXQ' } },
        { id: 'p', name: 'P' },
      ],
      statuses: [{ status: 'LIVE' }],
    });
    expect(answer.status).toBe(422);
    const codes = answer.body.details.map(({ field, error }) => `${field} ${error}`);
    expect(codes.sort()).toEqual(
      [
        'blocks.0.settings.maxLength TOO_SMALL',
        'blocks.1.id DUPLICATE_BLOCK',
        'blocks.2.id INVALID_VALUE',
        'blocks.5.type INVALID_VALUE',
        'blocks.6.value INVALID_TYPE',
        'name TOO_SHORT',
        'plans.0.price.amount TOO_SMALL',
        'plans.0.price.currency UNKNOWN_CURRENCY',
        'plans.1.id DUPLICATE_PLAN',
        'slug INVALID_FORMAT',
        'statuses.0.status INVALID_VALUE',
      ].sort(),
    );
    const settings = await createCollection<{ details: { field: string; error: string }[] }>({
      name: 'S',
      blocks: [
        { id: 'r', type: 'RELATIONSHIP', settings: { targetType: 'PLANET' } },
        { id: 'o', type: 'SELECT', settings: { options: ['x', 'x'] } },
      ],
    });
    expect(settings.body.details.map(({ field, error }) => `${field} ${error}`)).toEqual([
      'blocks.0.settings.targetType INVALID_VALUE',
      'blocks.1.settings.options DUPLICATE_OPTION',
    ]);
    const plans = await createCollection({ name: 'P', plans: [{ name: 'Gold' }] });
    expect(plans).toMatchObject({
      status: 422,
      body: { details: [{ field: 'plans', error: 'NOT_A_NEWSLETTER' }] },
    });
  });
});

describe('update and delete', () => {
  it('updates only the given fields, and rejects a stale version', async () => {
    const { body } = await createCollection({
      name: 'Press',
      description: 'Old',
      blocks: [{ id: 'x', type: 'TEXT' }],
    });
    const path = `${collections}/${body.id}`;
    const changed = await t.rest('PUT', path, {
      as: editor,
      headers: { 'if-match': '"1"' },
      body: { name: 'Press room', status: 'DRAFT' },
    });
    expect(changed.body).toMatchObject({
      name: 'Press room',
      slug: 'press',
      description: 'Old',
      blocks: [{ id: 'x', type: 'TEXT' }],
      statuses: [{ status: 'PUBLISHED' }, { status: 'DRAFT' }],
      version: 2,
    });
    const stale = await t.rest('PUT', path, {
      as: editor,
      headers: { 'if-match': '"1"' },
      body: { name: 'Lost' },
    });
    expect(stale.status).toBe(412);
    const clash = await createCollection({ name: 'Clash' });
    expect(await t.rest('PUT', path, { as: editor, body: { slug: clash.body.slug } })).toMatchObject({
      status: 422,
      body: { details: [{ field: 'slug', error: 'SLUG_TAKEN' }] },
    });
    expect((await t.rest('DELETE', path, { as: editor, headers: { 'if-match': '"1"' } })).status).toBe(412);
    expect(await t.rest('DELETE', path, { as: editor })).toMatchObject({
      status: 200,
      body: { id: body.id, deleted: true },
    });
    expect((await t.rest('DELETE', path, { as: editor })).status).toBe(404);
  });

  it('rejects deletion of a collection with entries, unless force is true', async () => {
    const { body } = await createCollection({ name: 'Full', blocks: [{ id: 'title', type: 'TEXT' }] });
    const entry = await t.rest('POST', `/v1/businesses/${shop.businessId}/entries`, {
      as: editor,
      body: { collectionId: body.id, blocks: [{ id: 'title', type: 'TEXT', value: 'One' }] },
    });
    const path = `${collections}/${body.id}`;
    expect(await t.rest('DELETE', path, { as: editor })).toMatchObject({
      status: 422,
      body: { details: [{ field: 'force', error: 'COLLECTION_NOT_EMPTY' }] },
    });
    expect((await t.rest('DELETE', `${path}?force=maybe`, { as: editor })).status).toBe(422);
    expect((await t.rest('DELETE', `${path}?force=true`, { as: editor })).status).toBe(200);
    const deletedEntry = await t.rest('GET', `/v1/businesses/${shop.businessId}/entries/${entry.body.id}`, {
      as: editor,
    });
    expect(deletedEntry.status).toBe(404);
  });
});
