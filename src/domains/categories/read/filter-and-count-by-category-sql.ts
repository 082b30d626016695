/** SQL expressions over the category tree, for lists of records that refer to categories by slug. */
import { maxCategoryDepth } from '../model.ts';

/**
 * SQL expression: array of the texts that a filter by categories matches. `values` is a text array parameter with slugs, ids, or texts
 * without a category. Ids become the slugs of their categories; with `includeSubcategories` those of all levels below are added.
 */
export function buildCategorySlugsExpressionSql(
  business: string,
  values: string,
  includeSubcategories: boolean,
): string {
  const matches = `c.business_id = ${business} and (c.slug = any(${values}::text[]) or c.id::text = any(${values}::text[]))`;
  const selected = includeSubcategories
    ? `with recursive below as (
        select c.id, c.slug, 1 as level from categories c where ${matches}
        union
        select c.id, c.slug, b.level + 1 from below b join categories c on c.business_id = ${business} and c.parent_id = b.id
        where b.level < ${maxCategoryDepth})
      select slug from below`
    : `select c.slug from categories c where ${matches}`;
  return `(array(${selected}) || ${values}::text[])`;
}

/**
 * SQL query: `id` and `count` of each category with counted records. `counted` is a table with columns `category` and `count`; the
 * records of a category count in its ancestors, too.
 */
export const buildCategoryCountsSql = (business: string, counted: string): string => `
  with recursive placed as (
    select c.id, c.parent_id, n.count, 1 as level from ${counted} n join categories c on c.business_id = ${business} and c.slug = n.category
    union all
    select c.id, c.parent_id, p.count, p.level + 1 from placed p join categories c on c.business_id = ${business} and c.id = p.parent_id
    where p.level < ${maxCategoryDepth})
  select id, sum(count)::int as count from placed group by id`;
