/** Puts the demo content into a database. */
import { asDocument } from '../db/json.ts';
import type { Queries } from '../db/sql.ts';
import { collections, content, entries } from './content-data.ts';
import { demo, seedId } from './data.ts';

const dayNumber = (start: number, day: number) => start + day * 86_400;

/** `opened` is the day the shop opened. */
export async function seedContent({ prisma }: Queries, opened: number): Promise<void> {
  const { businessId } = demo;
  const stamps = { createdAt: opened, updatedAt: opened };
  await prisma.collection.createMany({
    data: collections.map(({ id, name, slug, type, ...document }) => ({
      id,
      businessId,
      name,
      slug,
      type,
      statuses: history(id, 'PUBLISHED', opened),
      document: asDocument(document),
      ...stamps,
    })),
  });
  await prisma.entry.createMany({
    data: entries.map(({ collectionId, status, blocks }, index) => {
      const id = seedId(7, index + 1);
      const time = dayNumber(opened, index * 7);
      return {
        id,
        businessId,
        owner: `collection:${collectionId}`,
        locale: 'en',
        blocks: asDocument(blocks),
        statuses: history(id, status, time),
        createdAt: time,
        updatedAt: time,
      };
    }),
  });
  await prisma.subscription.create({
    data: {
      id: seedId(9, 1),
      businessId,
      collectionId: content.letterId,
      email: demo.customerEmail,
      key: demo.customerEmail,
      name: 'Demo Customer',
      planId: 'reader',
      status: 'ACTIVE',
      ...stamps,
    },
  });
}

const history = (id: string, status: string, timestamp: number) => [
  { id, status, changedBy: 'SYSTEM', timestamp },
];
