/** The demo content passes the rules that everybody else's has to pass, and can be read and sent. */
import { beforeAll, expect, it } from 'vitest';
import { validateBlocks } from '../../src/domains/blocks/validate-blocks.ts';
import { demoCollections, demoContentIds, demoEntries } from '../../src/seed/content-data.ts';
import { seedDemo } from '../../src/seed/demo.ts';
import { demo, disposableRecords } from '../../src/seed/shop-data.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { findingsOf } from '../support/audit.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
  await seedDemo(t.db);
});

it.each(demoEntries('https://shop.example'))(
  '$blocks.0.value follows its schema',
  ({ collectionId, blocks }) => {
    const schema = demoCollections.find(({ id }) => id === collectionId)?.blocks ?? [];
    expect(validateBlocks(schema, blocks)).toEqual({ blocks, issues: [] });
  },
);

it('shows visitors the journal in their language, with its relations', async () => {
  const { data, errors } = await t.graphql(
    `query($b: ID!) { entries(businessId: $b, collectionId: "journal") { totalCount nodes {
      title: block(id: "title") { text(locale: "de") }
      author: block(id: "author") { asRelationship { ... on Person { name } } }
      product: block(id: "product") { asRelationship { ... on Product { slug } } } } } }`,
    { b: demo.businessId },
    { as: await t.guest() },
  );
  expect(errors).toEqual([]);
  expect(data).toEqual({
    entries: {
      totalCount: 2,
      nodes: [
        {
          title: { text: 'Eine Woche in Konga' },
          author: { asRelationship: { name: 'Demo Admin' } },
          product: { asRelationship: { slug: 'yirgacheffe-konga' } },
        },
        {
          title: { text: 'Filterkaffee für den Anfang' },
          author: { asRelationship: { name: 'Demo Admin' } },
          product: { asRelationship: { slug: 'pour-over-dripper' } },
        },
      ],
    },
  });
});

it('sends the weekly letter into the outbox', async () => {
  const { token } = await t.app.services.tokens.issueAccess({ sub: demo.adminId, provider: 'EMAIL' });
  const letters = await t.rest<{ items: { id: string }[] }>(
    'GET',
    `/v1/businesses/${demo.businessId}/entries?collectionId=${demoContentIds.letterId}`,
    { as: { userId: demo.adminId, token } },
  );
  const sent = await t.rest(
    'POST',
    `/v1/businesses/${demo.businessId}/entries/${letters.body.items[0]?.id}/send`,
    {
      as: { userId: demo.adminId, token },
    },
  );
  expect(sent.body).toMatchObject({ success: true, recipients: 3 });
  expect(await t.outbox(demo.customerEmail)).toMatchObject([{ subject: 'Fresh this week, Demo Customer' }]);
});

it('has books that balance, also when it is added again', async () => {
  await seedDemo(t.db);
  expect(await findingsOf(t.app.services)).toEqual([]);
});

it('stops no start where it was deleted, whatever is left of it', async () => {
  const away = (id: string) => t.db.prisma.business.delete({ where: { id }, select: { id: true } });
  await away(demo.businessId);
  expect(await seedDemo(t.db)).toBe(false);
  expect(await t.db.prisma.business.count({ where: { id: demo.businessId } })).toBe(0);
  await away(disposableRecords.businessId);
  await away(disposableRecords.roasteryId);
  expect(await seedDemo(t.db)).toBe(true);
});
