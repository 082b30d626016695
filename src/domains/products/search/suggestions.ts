/** Suggestions while somebody types: categories and products that begin with the text, then products that it finds. */
import { assertBusinessExists } from '../../../auth/assert-business.ts';
import { permissionUserId } from '../../../auth/permission-sql.ts';
import type { Context } from '../../../context.ts';
import { isId } from '../../../lib/ids.ts';
import { isProductVisible } from '../read/visibility.ts';
import type { SuggestionsArgs } from './schemas.ts';
import { buildTextSearch, loadSearchSupport } from './text-search.ts';

export const suggestionKinds = ['CATEGORY', 'PRODUCT'] as const;

export interface Suggestion {
  kind: (typeof suggestionKinds)[number];
  text: string;
  productId?: string | undefined;
}

const [fewest, usual, most] = [1, 8, 20];
/** Fewer letters are the beginning of nearly everything. */
const minSearched = 3;
/** Of more matches than these the newest are looked at. */
const maxRanked = 500;

export async function loadSuggestions(
  ctx: Context,
  { businessId, text, first = usual }: SuggestionsArgs,
): Promise<Suggestion[]> {
  const begun = text.toLowerCase();
  const search =
    begun.length < minSearched ? undefined : buildTextSearch(begun, await loadSearchSupport(ctx.db));
  const count = Math.min(Math.max(first, fewest), most);
  const own = [
    isId(businessId) ? businessId : null,
    permissionUserId(ctx.viewer, 'PRODUCTS_WRITE'),
    begun,
    `${begun}\u{10ffff}`,
    count,
  ];
  const found = search ? ranked(search, own.length + 1) : '';
  const params = [...own, ...(search ? [...search.rankParams, ...search.params] : [])];
  const rows = await ctx.db.sql<{ kind: Suggestion['kind']; text: string; id: string | null }>(
    `${categories} ${beginning} ${found}`,
    params,
  );
  if (rows.length === 0) await assertBusinessExists(ctx, businessId);
  const seen = new Set<string>();
  return rows
    .filter(({ kind, text: said, id }) => seen.size < seen.add(id ?? `${kind} ${said}`).size)
    .slice(0, count)
    .map(({ kind, text: said, id }) => ({ kind, text: said, productId: id ?? undefined }));
}

const visible = isProductVisible('$1', '$2');

/** From one category to the next by the index, however many products each has. */
const categories = `
  with recursive category as (
    (select p.category as name from products p where p.business_id = $1 and ${visible} order by p.category limit 1)
    union all
    select (select p.category from products p where p.business_id = $1 and p.category > c.name and ${visible} order by p.category limit 1)
    from category c where c.name is not null)
  (select 'CATEGORY' as kind, name as text, null::uuid as id from category where starts_with(lower(name), $3) and name <> '' limit 3)`;

const beginning = `union all (select 'PRODUCT', p.name, p.id from product_listings l
  join products p on p.business_id = $1 and p.id = l.product_id where l.business_id = $1 and l.name >= $3 and l.name < $4 and ${visible} order by l.name, l.product_id limit $5)`;

const ranked = (search: NonNullable<ReturnType<typeof buildTextSearch>>, first: number) => `
  union all (select 'PRODUCT', m.name, m.id from (
    select p.id, p.name from products p where p.business_id = $1 and ${visible}
      and p.id in (${search.matching(first + search.rankParams.length)}) order by p.id desc limit ${maxRanked}) m
    join product_listings l on l.business_id = $1 and l.product_id = m.id order by ${search.rank(first)} desc, m.id desc limit $5)`;
