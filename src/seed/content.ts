/** Seeds collections, entries, drafts and a newsletter subscriber of the demo shop. */
import type { QueryHandle } from '../db/handles.ts';
import { collectionTable } from '../domains/collections/model.ts';
import { entryDraftTable } from '../domains/entries/drafts/model.ts';
import { entryTable } from '../domains/entries/model.ts';
import { subscriptionTable } from '../domains/newsletter/model.ts';
import type { StatusHistoryEntry } from '../domains/shared/media-and-status-history-types.ts';
import { createDemoEntries, demoCollections, demoContentIds } from './content-data.ts';
import { buildSeedId, demoShopIdsAndLogins } from './shop-data.ts';

const addDays = (start: number, day: number) => start + day * 86_400;

/** `opened` is the Unix time of the opening day. */
export async function seedContent(tx: QueryHandle, opened: number, publicUrl: string): Promise<void> {
  const { businessId } = demoShopIdsAndLogins;
  const newCollections = demoCollections.map((collection) => ({
    ...collection,
    ...commonFields(collection.id, 'PUBLISHED', opened),
  }));
  const sources = createDemoEntries(publicUrl);
  const newEntries = sources.map(({ collectionId, status, blocks }, index) => {
    const id = buildSeedId(7, index + 1);
    const time = addDays(opened, index * 7);
    return {
      id,
      owner: `collection:${collectionId}`,
      locale: 'en',
      blocks,
      ...commonFields(id, status, time),
    };
  });
  const newDrafts = newEntries.flatMap(({ id, locale, blocks, updatedAt }, index) => {
    const value = sources[index]?.nextTitle;
    const next = blocks.map((block) => (block.id === 'title' ? { ...block, value } : block));
    return value ? [{ id, locale, blocks: next, basedOn: 1, version: 1, updatedAt }] : [];
  });
  const subscriber = {
    id: buildSeedId(9, 1),
    businessId,
    collectionId: demoContentIds.letterId,
    email: demoShopIdsAndLogins.customerEmail,
    key: demoShopIdsAndLogins.customerEmail,
    name: 'Demo Customer',
    planId: 'reader',
    status: 'ACTIVE',
    createdAt: opened,
    updatedAt: opened,
  } as const;
  await tx.write(collectionTable.insertRows('$1'), [collectionTable.rowsParam(newCollections)]);
  await tx.write(entryTable.insertRows('$1'), [entryTable.rowsParam(newEntries)]);
  await tx.write(entryDraftTable.insertRows('$1'), [entryDraftTable.rowsParam(newDrafts)]);
  await tx.write(subscriptionTable.insertRows('$1'), [subscriptionTable.rowsParam([subscriber])]);
}

/** Common fields of demo records: owner, status history, version and timestamps. */
const commonFields = <Status extends string>(id: string, status: Status, timestamp: number) => ({
  businessId: demoShopIdsAndLogins.businessId,
  statuses: [
    { id, status, changedBy: 'SYSTEM', timestamp },
  ] satisfies StatusHistoryEntry<Status>[] as StatusHistoryEntry<Status>[],
  version: 1,
  createdAt: timestamp,
  updatedAt: timestamp,
});
