/**
 * Cached reads of one kind of record, keyed by id and version. All lookups of a tick become one statement, which returns the current
 * version that the viewer may see, so that a result is never stale; the row itself is sent only if that version is not cached.
 */
import { createNamedLru } from '../../lib/cache/named-lru.ts';
import type { DeepReadonly } from '../../lib/json/deep-readonly.ts';
import { markPageTruncated, maxPageBytes } from '../../lib/paging.ts';
import { createBatcher } from '../batching/index.ts';
import type { Db } from '../handles.ts';
import { definePageRecordSource } from '../pages/page-record-source.ts';
import {
  buildCurrentVersionColumnsSql,
  buildPageRecordsSql,
  buildRecordLookupSql,
  buildRecordsByIdSql,
  buildRecordsOfAnyBusinessSql,
  type RecordKindSql,
  type RecordLookupSql,
} from './cached-records-sql.ts';

interface CachedRecordKind<T, By extends string> extends RecordKindSql {
  read(row: never): T;
  lookups: Readonly<Record<By | 'id', RecordLookupSql>>;
  /** View for viewers who are not staff; `reader` null: the view that is shared by all viewers without a personal one. */
  publicView(record: NoInfer<T>, reader: string | null): NoInfer<T>;
  /** Whether this viewer sees more than the shared public view. A personal view is not cached. */
  hasPersonalView(record: NoInfer<T>, reader: string): boolean;
}

interface CachedRecordQuery {
  businessId: string;
  key: string;
  locale?: string | undefined;
  /** User whose permissions apply; null: an anonymous viewer. */
  reader: string | null;
}

/** Current version of one row of a page, and whether the viewer is staff of its business. */
export interface CurrentRecordVersion {
  id: string;
  version: number;
  staff: boolean;
}

interface CachedRecords<T, By extends string> {
  /** Current record, if the viewer may see it. */
  find(by: By | 'id', query: CachedRecordQuery): Promise<T | undefined>;
  /**
   * Records of a page in its order; one statement loads those that are not cached. Records deleted in the meantime are left out. A page
   * of long records may be truncated, and is marked so. `businessId` null: of any business.
   */
  loadPageRecords(
    businessId: string | null,
    reader: string | null,
    current: readonly CurrentRecordVersion[],
  ): Promise<readonly T[]>;
  /** Records among `ids` that the viewer may see, by id. */
  loadByIds(businessId: string, reader: string | null, ids: readonly string[]): Promise<Map<string, T>>;
  /** Like `loadByIds`, for records of any business. */
  loadByIdsOfAnyBusiness(reader: string | null, ids: readonly string[]): Promise<Map<string, T>>;
}

interface FoundRow extends CurrentRecordVersion {
  /** Row as JSON; null if the cached version is current, or if the page is truncated before it. */
  changed: string | null;
}

interface CachedQuery extends CachedRecordQuery {
  /** Key of the address cache; empty for a lookup by id. */
  address: string;
  cached: { version: number; record: { id: string } } | undefined;
}

const maxAddresses = 10_000;
const idLength = 36;

/** Cached reads of one kind of record by database, and what pages for `loadPageRecords` select. */
export interface CachedRecordSource<T, By extends string> {
  (db: Db): CachedRecords<T, By>;
  /** Table with its alias. */
  readonly from: string;
  /** Select list; the business is parameter `$1`. */
  readonly columns: string;
  /** Select list with the business from another SQL expression. */
  columnsIn(business: string): string;
}

/** Defines the cached reads of a kind of record. */
export function defineCachedRecords<T extends { id: string; version: number }, By extends string>(
  kind: CachedRecordKind<T, By>,
): CachedRecordSource<DeepReadonly<T>, By> {
  // One instance per read function: replicas are queried separately, and all share the record cache.
  const instances = new WeakMap<Db['shortRead'], CachedRecords<T, By>>();
  // The record cache shares records between requests: callers get a deeply readonly type, and tests freeze the records.
  const of = (db: Db) => {
    let instance = instances.get(db.shortRead);
    if (!instance) {
      instance = createCachedRecords(db, kind);
      instances.set(db.shortRead, instance);
    }
    return instance as unknown as CachedRecords<DeepReadonly<T>, By>;
  };
  const columnsIn = (business: string) => buildCurrentVersionColumnsSql(kind, business);
  return Object.assign(of, { from: kind.from, columns: columnsIn('$1'), columnsIn });
}

function createCachedRecords<T extends { id: string; version: number }, By extends string>(
  db: Db,
  kind: CachedRecordKind<T, By>,
): CachedRecords<T, By> {
  const keyOf = (id: string) => `${kind.alias}:${id}`;
  /** Last id found for an address such as a slug: a hint which record may be cached, never a result. */
  const idByAddress = createNamedLru<string>('addresses', maxAddresses);

  const cacheRow = (id: string, version: number, json: string): T =>
    db.recordCache.put(keyOf(id), version, kind.read(JSON.parse(json) as never), json.length);

  function viewOf(record: T, staff: boolean, reader: string | null): T {
    if (staff) return record;
    if (reader !== null && kind.hasPersonalView(record, reader)) return kind.publicView(record, reader);
    return db.recordCache.sharedView(record, () => kind.publicView(record, null));
  }

  function createLookup(lookup: RecordLookupSql): (query: CachedQuery) => Promise<T | undefined> {
    const statement = buildRecordLookupSql(kind, lookup);
    const lookUp = async (queries: readonly CachedQuery[]): Promise<(T | undefined)[]> => {
      const { generation } = db.recordCache;
      const rows = await db.shortRead<FoundRow & { n: number }>(statement, paramsOf(queries));
      // The cache was cleared meanwhile because the database was replaced: the versions sent are not comparable.
      if (db.recordCache.generation !== generation)
        return lookUp(queries.map((query) => ({ ...query, cached: undefined })));
      const results = new Array<T | undefined>(queries.length).fill(undefined);
      for (const { n, id, version, staff, changed } of rows) {
        const query = queries[n - 1];
        if (query?.address) idByAddress.set(query.address, id);
        const record = changed === null ? query?.cached?.record : cacheRow(id, version, changed);
        results[n - 1] = viewOf(record as T, staff, query?.reader ?? null);
      }
      return results;
    };
    return createBatcher(db, lookUp);
  }

  const lookups = new Map(
    Object.entries<RecordLookupSql>(kind.lookups).map(([by, lookup]) => [by, createLookup(lookup)] as const),
  );
  const byIdSql = buildRecordsByIdSql(kind);
  const anyBusinessSql = buildRecordsOfAnyBusinessSql(kind);
  const pageSql = buildPageRecordsSql(kind, maxPageBytes);
  /** Records by id; null for a record beyond the size limit of a page. */
  async function read(statement: string, params: readonly unknown[], reader: string | null) {
    const recordById = new Map<string, T | null>();
    for (const { id, version, staff, changed } of await db.shortRead<FoundRow>(statement, params))
      recordById.set(id, changed === null ? null : viewOf(cacheRow(id, version, changed), staff, reader));
    return recordById;
  }

  return {
    async find(by, { businessId, key, locale, reader }) {
      const address = by === 'id' ? '' : `${by}:${businessId}:${locale}:${key}`;
      const id = by === 'id' ? key : idByAddress.get(address);
      const cached = id === undefined ? undefined : db.recordCache.get<T>(keyOf(id));
      return lookups.get(by)?.({ address, cached, businessId, key, locale, reader });
    },
    async loadPageRecords(businessId, reader, current) {
      const recordById = new Map<string, T | null>();
      const missing: string[] = [];
      for (const { id, version, staff } of current) {
        const cached = db.recordCache.get<T>(keyOf(id));
        if (cached?.version === version) recordById.set(id, viewOf(cached.record, staff, reader));
        else missing.push(id);
      }
      if (missing.length > 0) {
        const loaded =
          businessId === null
            ? read(anyBusinessSql, [reader, missing], reader)
            : read(pageSql, [businessId, reader, missing], reader);
        for (const [id, record] of await loaded) recordById.set(id, record);
      }
      const end = current.findIndex(({ id }) => recordById.get(id) === null);
      const nodes = (end === -1 ? current : current.slice(0, end)).flatMap(
        ({ id }) => recordById.get(id) ?? [],
      );
      return end === -1 ? nodes : markPageTruncated(nodes);
    },
    loadByIds: (businessId, reader, ids) =>
      read(byIdSql, [businessId, reader, ids], reader) as Promise<Map<string, T>>,
    loadByIdsOfAnyBusiness: (reader, ids) =>
      read(anyBusinessSql, [reader, ids], reader) as Promise<Map<string, T>>,
  };
}

function paramsOf(queries: readonly CachedQuery[]): unknown[] {
  const viewers = new Map<string, number>();
  const viewerIndexOf = ({ businessId, reader }: CachedQuery) => {
    if (reader === null) return null;
    const viewer = `${businessId}${reader}`;
    const index = viewers.get(viewer) ?? viewers.size + 1;
    viewers.set(viewer, index);
    return index;
  };
  const viewerIndexes = queries.map(viewerIndexOf);
  const viewerKeys = [...viewers.keys()];
  return [
    queries.map(({ businessId }) => businessId),
    queries.map(({ key }) => key),
    queries.map(({ locale }) => locale ?? null),
    queries.map(({ cached }) => cached?.record.id ?? null),
    queries.map(({ cached }) => cached?.version ?? null),
    viewerIndexes,
    viewerKeys.map((viewer) => viewer.slice(0, idLength)),
    viewerKeys.map((viewer) => viewer.slice(idLength)),
  ];
}

/** Handle for reading products and content: the replica if there is one. Decisions such as stock checks read from `db` itself. */
export const selectContentReadDb = (db: Db): Db => db.contentReplica ?? db;

/** Records of a page of one business from a record cache. Parameters of the statement: business, reader, and those of its conditions. */
export const defineCachedPageRecordSource = <T extends { id: string }, By extends string>(
  cache: CachedRecordSource<T, By>,
) =>
  definePageRecordSource({
    columns: cache.columns,
    table: cache.from,
    toNodes: (
      current: readonly CurrentRecordVersion[],
      [businessId, reader]: readonly [string | null, string | null, ...unknown[]],
      db,
    ) => cache(selectContentReadDb(db)).loadPageRecords(businessId, reader, current),
  });

/**
 * Records of the same page of several owners, which one statement reads. Parameters: owner and reader. `business` is the SQL expression of
 * the business if the owner is another record.
 */
export const defineCachedSiblingPageRecordSource = <T extends { id: string }, By extends string>(
  cache: CachedRecordSource<T, By>,
  business = '$1',
) =>
  definePageRecordSource({
    columns: cache.columnsIn(business),
    table: cache.from,
    toNodes: (
      current: readonly CurrentRecordVersion[],
      [, reader]: readonly [string | null, string | null],
      db,
    ) => cache(selectContentReadDb(db)).loadPageRecords(null, reader, current),
  });
