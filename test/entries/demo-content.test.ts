/** Demo content: passes the same validation as client content, and can be read and sent. */
import { beforeAll, expect, it } from 'vitest';
import { validateBlocksCollectingIssues } from '../../src/domains/blocks/validate-blocks.ts';
import { createDemoEntries, demoCollections, demoContentIds } from '../../src/seed/content-data.ts';
import { seedDemo } from '../../src/seed/demo.ts';
import { demoShopIdsAndLogins, disposableRecordIds } from '../../src/seed/shop-data.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { auditFindings } from '../support/consistency-audit.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
  await seedDemo(t.db);
});

it.each(createDemoEntries('https://shop.example'))(
  '$blocks.0.value matches its schema',
  ({ collectionId, blocks }) => {
    const schema = demoCollections.find(({ id }) => id === collectionId)?.blocks ?? [];
    expect(validateBlocksCollectingIssues(schema, blocks)).toEqual({ blocks, issues: [] });
  },
);

it('returns the journal in the locale of the visitor, with resolved relationships', async () => {
  const { data, errors } = await t.graphql(
    `query($b: ID!) { entries(businessId: $b, collectionId: "journal") { totalCount nodes {
      title: block(id: "title") { text(locale: "de") }
      author: block(id: "author") { asRelationship { ... on Person { name } } }
      product: block(id: "product") { asRelationship { ... on Product { slug } } } } } }`,
    { b: demoShopIdsAndLogins.businessId },
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

it('sends the weekly newsletter into the outbox', async () => {
  const { token } = await t.app.services.tokens.issueAccess({
    sub: demoShopIdsAndLogins.adminId,
    provider: 'EMAIL',
  });
  const letters = await t.rest<{ items: { id: string }[] }>(
    'GET',
    `/v1/businesses/${demoShopIdsAndLogins.businessId}/entries?collectionId=${demoContentIds.letterId}`,
    { as: { userId: demoShopIdsAndLogins.adminId, token } },
  );
  const sent = await t.rest(
    'POST',
    `/v1/businesses/${demoShopIdsAndLogins.businessId}/entries/${letters.body.items[0]?.id}/send`,
    {
      as: { userId: demoShopIdsAndLogins.adminId, token },
    },
  );
  expect(sent.body).toMatchObject({ success: true, recipients: 3 });
  expect(await t.outbox(demoShopIdsAndLogins.customerEmail)).toMatchObject([
    { subject: 'Fresh this week, Demo Customer' },
  ]);
});

it('passes the audit, also after seeding twice', async () => {
  await seedDemo(t.db);
  expect(await auditFindings(t.app.services)).toEqual([]);
});

it('does not restore a deleted demo business while other demo businesses remain', async () => {
  const deleteBusiness = (id: string) => t.db.prisma.business.delete({ where: { id }, select: { id: true } });
  await deleteBusiness(demoShopIdsAndLogins.businessId);
  expect(await seedDemo(t.db)).toBe(false);
  expect(await t.db.prisma.business.count({ where: { id: demoShopIdsAndLogins.businessId } })).toBe(0);
  await deleteBusiness(disposableRecordIds.businessId);
  await deleteBusiness(disposableRecordIds.roasteryId);
  expect(await seedDemo(t.db)).toBe(true);
});
