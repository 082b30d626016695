/** Reads the newest rows of a person in batches, for the personal data export. */
import { maxPersonalDataItems } from './personal-data-graphql-type.ts';

const batchSize = 500;

/** Reads the newest rows in batches, so that no statement runs long. `below` is the key of the last row of the previous batch. */
export async function collectNewestPersonalData<Row>(
  keyOf: (row: Row) => string,
  read: (below: string | undefined, take: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let below: string | undefined; rows.length < maxPersonalDataItems; ) {
    const take = Math.min(batchSize, maxPersonalDataItems - rows.length);
    const batch = await read(below, take);
    rows.push(...batch);
    const last = batch.at(-1);
    if (last === undefined || batch.length < take) break;
    below = keyOf(last);
  }
  return rows;
}
