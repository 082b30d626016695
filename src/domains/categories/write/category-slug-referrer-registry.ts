/** Registry of domains whose records refer to a category by its slug, such as products. They register here, because this domain must not import them. */
import type { QueryHandle } from '../../../db/index.ts';

interface CategorySlugReferrer {
  /** Name of the records for error messages, such as `products`. */
  name: string;
  /** SQL condition: records of the business in parameter `business` have the slug in parameter `slug`. */
  existsSql(business: string, slug: string): string;
}

const usages: CategorySlugReferrer[] = [];

export const registerCategorySlugReferrer = (usage: CategorySlugReferrer): void => {
  usages.push(usage);
};

/** Names of the records that have the slug. */
export async function listReferrersOfCategorySlug(
  queries: QueryHandle,
  businessId: string,
  slug: string,
): Promise<string[]> {
  const columns = usages.map(({ existsSql }, index) => `${existsSql('$1::uuid', '$2')} as "${index}"`);
  const [existsByIndex] = await queries.sql<Record<string, boolean>>(`select ${columns.join(', ')}`, [
    businessId,
    slug,
  ]);
  return usages.flatMap(({ name }, index) => (existsByIndex?.[index] ? [name] : []));
}
