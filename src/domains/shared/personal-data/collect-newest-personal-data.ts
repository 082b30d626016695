/** Reads the newest rows of a person in batches, for the personal data export. */
import { mergeRowsOfServers, type QueryHandle } from '../../../db/index.ts';
import { maxPersonalDataItems } from './personal-data-graphql-type.ts';

const batchSize = 500;

/**
 * Reads the newest rows of all servers in batches, so that no statement runs long. `below` is the value of `key` in the last row of the
 * previous batch.
 */
export async function collectNewestPersonalData<Row extends object, Server extends QueryHandle = QueryHandle>(
  servers: readonly Server[],
  key: keyof Row & string,
  read: (server: Server, below: string | undefined, take: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let below: string | undefined; rows.length < maxPersonalDataItems; ) {
    const limit = Math.min(batchSize, maxPersonalDataItems - rows.length);
    const order = { key, descending: true, limit };
    const batch = await mergeRowsOfServers<Server, Row>(servers, order, (server) =>
      read(server, below, limit),
    );
    rows.push(...batch);
    const last = batch.at(-1);
    if (last === undefined || batch.length < limit) break;
    below = String(last[key]);
  }
  return rows;
}
