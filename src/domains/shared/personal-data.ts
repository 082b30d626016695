/** All that the gateway knows about one person. Each domain adds the fields for what it keeps. */
import { builder } from '../../graphql/schema/builder.ts';

/** The person who asks about themself. */
export interface PersonalDataOwner {
  userId: string;
  /** Only once it is confirmed: anybody can register with the address of somebody else. */
  email: string | undefined;
  exportedAt: number;
}

export const maxPersonalDataItems = 5000;
const batch = 500;

export const PersonalDataType = builder.objectRef<PersonalDataOwner>('PersonalData').implement({
  description: `All that is kept about the viewer, of each kind the newest ${maxPersonalDataItems}. Older ones are in the list of that kind.`,
  fields: (t) => ({
    exportedAt: t.expose('exportedAt', { type: 'Timestamp', description: 'When it was put together.' }),
    mostOfEach: t.int({
      description: 'How many of each kind there are at most: a list that has as many may have been cut.',
      resolve: () => maxPersonalDataItems,
    }),
  }),
});

/** Such a list is dear: few fit into one request. */
export const personalListCost = { field: 1, multiplier: 150 };

/** Reads a list of the newest in batches, so that no statement is long. `below` is the key of the last row before. */
export async function readNewestInBatches<Row>(
  keyOf: (row: Row) => string,
  read: (below: string | undefined, take: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let below: string | undefined; rows.length < maxPersonalDataItems; ) {
    const take = Math.min(batch, maxPersonalDataItems - rows.length);
    const more = await read(below, take);
    rows.push(...more);
    const last = more.at(-1);
    if (last === undefined || more.length < take) break;
    below = keyOf(last);
  }
  return rows;
}
