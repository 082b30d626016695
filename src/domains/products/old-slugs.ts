/** Finds products by slugs that they had: a trigger remembers those (prisma/migrations). */
import type { Queries } from '../../db/sql.ts';

const statement = `select o.product_id as id from product_old_slugs o where o.business_id = $1 and o.slug = $2
  order by o.replaced_at desc, o.product_id desc limit 20`;

/** The ids of those who had it; who lost it last comes first. */
export async function idsByOldSlug(queries: Queries, businessId: string, slug: string): Promise<string[]> {
  const rows = await queries.sql<{ id: string }>(statement, [businessId, slug]);
  return rows.map(({ id }) => id);
}
