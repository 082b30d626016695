/** Puts the demo content into a database. */
import { insertRow } from '../db/rows.ts';
import type { Queries } from '../db/sql.ts';
import { collections, content, entries } from './content-data.ts';
import { demo, seedId } from './data.ts';

const dayNumber = (start: number, day: number) => start + day * 86_400;

/** `opened` is the day the shop opened. */
export async function seedContent(tx: Queries, opened: number): Promise<void> {
  const { businessId } = demo;
  for (const { id, name, slug, type, ...document } of collections) {
    await insertRow(tx, 'collections', {
      id,
      businessId,
      name,
      slug,
      type,
      statuses: history(id, 'PUBLISHED', opened),
      document: JSON.stringify(document),
      createdAt: opened,
      updatedAt: opened,
    });
  }
  for (const [index, { collectionId, status, blocks }] of entries.entries()) {
    const id = seedId(7, index + 1);
    const time = dayNumber(opened, index * 7);
    await insertRow(tx, 'entries', {
      id,
      businessId,
      owner: `collection:${collectionId}`,
      locale: 'en',
      blocks: JSON.stringify(blocks),
      statuses: history(id, status, time),
      createdAt: time,
      updatedAt: time,
    });
  }
  await insertRow(tx, 'subscriptions', {
    id: seedId(9, 1),
    businessId,
    collectionId: content.letterId,
    email: demo.customerEmail,
    key: demo.customerEmail,
    name: 'Demo Customer',
    planId: 'reader',
    status: 'ACTIVE',
    createdAt: opened,
    updatedAt: opened,
  });
}

const history = (id: string, status: string, timestamp: number) =>
  JSON.stringify([{ id, status, changedBy: 'SYSTEM', timestamp }]);
