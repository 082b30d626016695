/** People as others may know them: nothing but their name, and only where they are tied to a business. */
import type { Queries } from '../../db/sql.ts';
import { isTied, isTiedByChoice } from '../shared/ties.ts';

export interface Person {
  id: string;
  name: string;
}

/** Whether this is somebody who is tied to the business by their own doing. */
export async function isThereByChoice(queries: Queries, businessId: string, id: string): Promise<boolean> {
  const found = await queries.sql(
    `select 1 from users u where u.id = $2 and ${isTiedByChoice('u.id', '$1')}`,
    [[businessId], id],
  );
  return found.length > 0;
}

/** Those among `ids` who are tied to the business, by id. */
export async function loadPeople(
  queries: Queries,
  businessId: string,
  ids: readonly string[],
): Promise<Map<string, Person>> {
  const rows = await queries.sql<Person>(
    `select u.id, u.name from users u where u.id = any($2::uuid[]) and ${isTied('u.id', '$1')}`,
    [[businessId], ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
