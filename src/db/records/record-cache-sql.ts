/** The statements of a version oracle. */

/** How a record is found: SQL over its alias and the question `q` with its `business_id`, `key` and `locale`. */
export interface RecordLookup {
  condition: string;
  order?: string;
}

/** Where a kind of record is, and who may see it. */
export interface RecordKindSql {
  /** The table under its alias, such as `products p`. */
  from: string;
  alias: string;
  /** The select list of a row. */
  columns: string;
  /** SQL: everybody may see it. */
  isPublic: string;
  /** SQL: the user in `user` is staff of the business in `business`, and sees all of it. */
  isStaff(business: string, user: string): string;
}

const rowText = ({ columns }: RecordKindSql) => `(select row_to_json(r)::text from (select ${columns}) r)`;

/** One row for each question that finds something. Every viewer is looked up once, however much they ask. */
export function recordLookupSql(kind: RecordKindSql, { condition, order }: RecordLookup): string {
  const { alias, from, isPublic, isStaff } = kind;
  return `with viewers as materialized (
      select v.n, ${isStaff('v.business_id', 'v.user_id')} as staff
      from unnest($7::uuid[], $8::uuid[]) with ordinality as v(business_id, user_id, n))
    select q.n::int, found.*, v.staff is true as staff
    from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::int[], $6::int[])
      with ordinality as q(business_id, key, locale, known_id, known_version, viewer, n)
    left join viewers v on v.n = q.viewer
    cross join lateral (
      select ${alias}.id, ${alias}.version,
        case when ${alias}.id = q.known_id and ${alias}.version = q.known_version then null else ${rowText(kind)} end as changed
      from ${from} where ${alias}.business_id = q.business_id and ${condition} and (${isPublic} or v.staff)
      ${order ? `order by ${order}` : ''} limit 1) found`;
}

/** Records by id, for who may see them. */
export function recordsByIdSql(kind: RecordKindSql): string {
  const { alias, from, isPublic, isStaff } = kind;
  return `select ${alias}.id, ${alias}.version, ${isStaff('$1', '$2')} as staff, ${rowText(kind)} as changed
    from ${from} where ${alias}.business_id = $1 and ${alias}.id = any($3::uuid[]) and (${isPublic} or ${isStaff('$1', '$2')})`;
}

/** The same of whatever business, for what is known to be there by its id alone. */
export function recordsOfAnyBusinessSql(kind: RecordKindSql): string {
  const { alias, from, isPublic, isStaff } = kind;
  const staff = isStaff(`${alias}.business_id`, '$1');
  return `select ${alias}.id, ${alias}.version, ${staff} as staff, ${rowText(kind)} as changed
    from ${from} where ${alias}.id = any($2::uuid[]) and (${isPublic} or ${staff})`;
}

/** The same for the rows of a page, in the order of their ids in `$3`: without the texts of those that are too much for it. */
export const pageRecordsSql = (kind: RecordKindSql, maxBytes: number): string =>
  `select r.id, r.version, r.staff, case when row_number() over listed = 1
      or sum(octet_length(r.changed)) over listed <= ${maxBytes} then r.changed end as changed
    from (${recordsByIdSql(kind)}) r window listed as (order by array_position($3::uuid[], r.id))`;

/** The select list of a page whose rows say what is current. The user in `$2` is looked up once. */
export const currentVersionColumns = ({ alias, isStaff }: RecordKindSql, business: string) =>
  `${alias}.id, ${alias}.version, ${isStaff(business, '$2')} as staff`;
