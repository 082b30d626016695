/** Subscriptions with trusted documents. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { hashDocument } from '../../src/graphql/http/trusted-documents.ts';
import { testApp } from '../support/app.ts';
import { addProduct, createSellingShop } from '../support/shop-fixtures.ts';
import { openSubscription, readEventStream, streamErrorCodes } from '../support/sse-client.ts';

const folder = mkdtempSync(join(tmpdir(), 'duet-live-documents-'));
afterAll(() => rmSync(folder, { recursive: true }));

const registered = `subscription Stock($b: ID!, $id: ID) { stockChanged(businessId: $b, productId: $id) { inventory { quantity } } }`;
writeFileSync(join(folder, 'documents.json'), JSON.stringify({ [hashDocument(registered)]: registered }));

it('runs registered subscriptions by text or id, and rejects others', async () => {
  const t = await testApp({ GRAPHQL_DOCUMENTS: 'trusted', TRUSTED_DOCUMENTS: folder });
  const shop = await createSellingShop(t);
  const guest = await t.guest();
  const { productId: id } = await addProduct(t, shop, { stock: 3 });
  const variables = { b: shop.businessId, id };
  const level = [{ data: { stockChanged: { inventory: { quantity: 3 } } } }];

  const byText = await openSubscription(t, registered, variables, { as: guest });
  await expect.poll(() => byText.received).toEqual(level);

  const params = new URLSearchParams({
    documentId: hashDocument(registered),
    variables: JSON.stringify(variables),
  });
  const byId = readEventStream(
    await t.app.fetch(
      new Request(`http://duet.test/graphql?${params}`, {
        headers: { accept: 'text/event-stream', authorization: `Bearer ${guest.token}` },
      }),
    ),
  );
  await expect.poll(() => byId.received).toEqual(level);

  const unknown = await openSubscription(t, registered.replace('Stock', 'Other'), variables, { as: guest });
  await expect.poll(() => streamErrorCodes(unknown)).toEqual(['BAD_REQUEST']);
  expect(t.app.services.live.state.watching).toBe(2);
  await Promise.all([byText.close(), byId.close()]);
  await expect.poll(() => t.app.services.live.state.watching).toBe(0);
});
