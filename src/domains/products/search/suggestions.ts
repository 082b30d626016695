/** Suggestions for a partially typed search: categories and products with the text as a prefix, then products that the search finds. */
import { assertBusinessExists } from '../../../auth/assert-business-exists.ts';
import type { Context } from '../../../context.ts';
import { isId } from '../../../lib/ids.ts';
import { buildProductVisibilityConditionSql } from '../read/visibility-sql.ts';
import type { SearchSuggestionsArgs } from './schemas.ts';
import { buildTextSearchSql, loadSearchSupport } from './text-search.ts';

export const searchSuggestionKinds = ['CATEGORY', 'PRODUCT'] as const;

export interface SearchSuggestion {
  kind: (typeof searchSuggestionKinds)[number];
  text: string;
  productId?: string | undefined;
}

const [minCount, defaultCount, maxCount] = [1, 8, 20];
/** Minimum number of letters for a search: fewer are a prefix of nearly every word. */
const minSearchLength = 3;
/** Only the newest matches, up to this many, are ranked. */
const maxRankedMatches = 500;

export async function loadSearchSuggestions(
  ctx: Context,
  { businessId, text, first = defaultCount }: SearchSuggestionsArgs,
): Promise<SearchSuggestion[]> {
  const prefix = text.toLowerCase();
  const search =
    prefix.length < minSearchLength ? undefined : buildTextSearchSql(prefix, await loadSearchSupport(ctx.db));
  const count = Math.min(Math.max(first, minCount), maxCount);
  const baseParams = [
    isId(businessId) ? businessId : null,
    ctx.viewer.userIdForPermissionSql('PRODUCTS_WRITE'),
    prefix,
    `${prefix}\u{10ffff}`,
    count,
  ];
  const searchMatches = search ? rankedMatches(search, baseParams.length + 1) : '';
  const params = [...baseParams, ...(search ? [...search.rankParams, ...search.params] : [])];
  const rows = await ctx.db.sql<{ kind: SearchSuggestion['kind']; text: string; id: string | null }>(
    `${categoryMatches} ${namePrefixMatches} ${searchMatches}`,
    params,
  );
  if (rows.length === 0) await assertBusinessExists(ctx, businessId);
  const seen = new Set<string>();
  return rows
    .filter(({ kind, text: label, id }) => seen.size < seen.add(id ?? `${kind} ${label}`).size)
    .slice(0, count)
    .map(({ kind, text: label, id }) => ({ kind, text: label, productId: id ?? undefined }));
}

const visibilityCondition = buildProductVisibilityConditionSql('$1', '$2');

/** Steps through the distinct categories by the index (loose index scan), independent of the number of products per category. */
const categoryMatches = `
  with recursive category as (
    (select p.category as name from products p where p.business_id = $1 and ${visibilityCondition} order by p.category limit 1)
    union all
    select (select p.category from products p where p.business_id = $1 and p.category > c.name and ${visibilityCondition} order by p.category limit 1)
    from category c where c.name is not null)
  (select 'CATEGORY' as kind, name as text, null::uuid as id from category where starts_with(lower(name), $3) and name <> '' limit 3)`;

const namePrefixMatches = `union all (select 'PRODUCT', p.name, p.id from product_listings l
  join products p on p.business_id = $1 and p.id = l.product_id where l.business_id = $1 and l.name >= $3 and l.name < $4 and ${visibilityCondition} order by l.name, l.product_id limit $5)`;

const rankedMatches = (search: NonNullable<ReturnType<typeof buildTextSearchSql>>, first: number) => `
  union all (select 'PRODUCT', m.name, m.id from (
    select p.id, p.name from products p where p.business_id = $1 and ${visibilityCondition}
      and p.id in (${search.matchingIdsSql(first + search.rankParams.length)}) order by p.id desc limit ${maxRankedMatches}) m
    join product_listings l on l.business_id = $1 and l.product_id = m.id order by ${search.rankSql(first)} desc, m.id desc limit $5)`;
