/** SQL of the record cache: lookups that return the current version and, unless cached, the row as JSON. */

/** Lookup of a record: SQL over its alias and the query row `q` with `business_id`, `key` and `locale`. */
export interface RecordLookupSql {
  condition: string;
  order?: string;
}

/** Table of a kind of record, and its visibility. */
export interface RecordKindSql {
  /** Table with its alias, such as `products p`. */
  from: string;
  alias: string;
  /** Select list of a row. */
  columns: string;
  /** SQL condition: everyone may see the record. */
  isPublic: string;
  /** SQL condition: the user `user` is staff of the business `business` and may see all its records. */
  isStaff(business: string, user: string): string;
}

const rowText = ({ columns }: RecordKindSql) => `(select row_to_json(r)::text from (select ${columns}) r)`;

/** Returns one row for each query that finds a record. Permissions are checked once per viewer and business. */
export function buildRecordLookupSql(kind: RecordKindSql, { condition, order }: RecordLookupSql): string {
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

/** Records of a business by id, if the viewer may see them. */
export function buildRecordsByIdSql(kind: RecordKindSql): string {
  const { alias, from, isPublic, isStaff } = kind;
  return `select ${alias}.id, ${alias}.version, ${isStaff('$1', '$2')} as staff, ${rowText(kind)} as changed
    from ${from} where ${alias}.business_id = $1 and ${alias}.id = any($3::uuid[]) and (${isPublic} or ${isStaff('$1', '$2')})`;
}

/** Records of any business by id, if the viewer may see them. */
export function buildRecordsOfAnyBusinessSql(kind: RecordKindSql): string {
  const { alias, from, isPublic, isStaff } = kind;
  const staff = isStaff(`${alias}.business_id`, '$1');
  return `select ${alias}.id, ${alias}.version, ${staff} as staff, ${rowText(kind)} as changed
    from ${from} where ${alias}.id = any($2::uuid[]) and (${isPublic} or ${staff})`;
}

/** Records of a page in the order of the ids in `$3`. Beyond `maxBytes` in total, rows come without their JSON (null). */
export const buildPageRecordsSql = (kind: RecordKindSql, maxBytes: number): string =>
  `select r.id, r.version, r.staff, case when row_number() over listed = 1
      or sum(octet_length(r.changed)) over listed <= ${maxBytes} then r.changed end as changed
    from (${buildRecordsByIdSql(kind)}) r window listed as (order by array_position($3::uuid[], r.id))`;

/** Select list of a page of ids with current versions. The permission of the user `$2` is evaluated once. */
export const buildCurrentVersionColumnsSql = ({ alias, isStaff }: RecordKindSql, business: string) =>
  `${alias}.id, ${alias}.version, ${isStaff(business, '$2')} as staff`;
