/**
 * The version oracle of one kind of record: everything asked about it in one turn becomes one statement, which says for each address
 * what is there for this viewer and in which version. Records come along only in versions that are not at hand.
 */
import { HiddenProperty } from '../../lib/cache/hidden-property.ts';
import { createNamedLru } from '../../lib/cache/named-lru.ts';
import { registerRecordView } from '../../lib/cache/record-cache.ts';
import { markTruncated, maxPageBytes } from '../../lib/paging.ts';
import { createBatcher } from '../batching/tick-batching.ts';
import type { Db } from '../handles.ts';
import {
  currentVersionColumns,
  pageRecordsSql,
  type RecordKindSql,
  type RecordLookup,
  recordLookupSql,
  recordsByIdSql,
  recordsOfAnyBusinessSql,
} from './record-cache-sql.ts';

export interface CachedRecordKind<T, By extends string> extends RecordKindSql {
  read(row: never): T;
  lookups: Readonly<Record<By | 'id', RecordLookup>>;
  /** What others than staff see of a record; the same for all readers whom it does not concern. */
  publicView?(record: NoInfer<T>, reader: string | null): NoInfer<T>;
  /** Whether this reader sees more of it than others who are not staff: such a view is made for them alone. */
  hasPersonalView?(record: NoInfer<T>, reader: string): boolean;
}

export interface RecordQuery {
  businessId: string;
  key: string;
  locale?: string | undefined;
  /** Whose permissions are to be looked up; null: nobody's. */
  reader: string | null;
}

/** What a page says of each of its rows. */
export interface CurrentVersion {
  id: string;
  version: number;
  staff: boolean;
}

export interface CachedRecords<T, By extends string> {
  /** The record that is there now, if this viewer may see it. */
  find(by: By | 'id', question: RecordQuery): Promise<T | undefined>;
  /**
   * The records of a page in its order; those not at hand by one statement. What vanished meanwhile is left out. Of long ones there
   * may be fewer, marked as cut short. Null: of whatever business.
   */
  loadPageRecords(
    businessId: string | null,
    reader: string | null,
    current: readonly CurrentVersion[],
  ): Promise<readonly T[]>;
  /** Those among `ids` that this viewer may see, by id. */
  loadByIds(businessId: string, reader: string | null, ids: readonly string[]): Promise<Map<string, T>>;
  /** The same of whatever business. */
  loadByIdsOfAnyBusiness(reader: string | null, ids: readonly string[]): Promise<Map<string, T>>;
  /** Keeps a record that has just been committed. */
  put(record: T): T;
}

interface Found extends CurrentVersion {
  /** The row as JSON text, unless it is the one at hand. */
  changed: string | null;
}

interface Asked extends RecordQuery {
  /** Where the id is remembered that was found here last. */
  address: string;
  atHand: { version: number; record: { id: string } } | undefined;
}

const maxAddresses = 10_000;
const idLength = 36;

/** The oracle of each database; `columns` is the select list of pages for `all`, `columnsIn` with the business from elsewhere than `$1`. */
export function defineCachedRecords<T extends { id: string; version: number }, By extends string>(
  kind: CachedRecordKind<T, By>,
): ((db: Db) => CachedRecords<T, By>) & { columns: string; columnsIn(business: string): string } {
  // By what is asked: a replica is asked on its own, and all share what is kept.
  const oracles = new WeakMap<Db['shortRead'], CachedRecords<T, By>>();
  const of = (db: Db) => {
    let oracle = oracles.get(db.shortRead);
    if (!oracle) {
      oracle = createVersions(db, kind);
      oracles.set(db.shortRead, oracle);
    }
    return oracle;
  };
  const columnsIn = (business: string) => currentVersionColumns(kind, business);
  return Object.assign(of, { columns: columnsIn('$1'), columnsIn });
}

function createVersions<T extends { id: string; version: number }, By extends string>(
  db: Db,
  kind: CachedRecordKind<T, By>,
): CachedRecords<T, By> {
  const keyOf = (id: string) => `${kind.alias}:${id}`;
  const views = new HiddenProperty<T, T>();
  /** Ids by other addresses: only a guess at which version may be at hand, never an answer. */
  const addresses = createNamedLru<string>('addresses', maxAddresses);

  const keepRow = (id: string, version: number, json: string): T =>
    db.recordCache.put(keyOf(id), version, kind.read(JSON.parse(json) as never), json.length);

  function viewOf(record: T, staff: boolean, reader: string | null): T {
    if (staff || !kind.publicView) return record;
    if (reader !== null && kind.hasPersonalView?.(record, reader)) return kind.publicView(record, reader);
    let view = views.get(record);
    if (!view) {
      view = registerRecordView(record, kind.publicView(record, null));
      views.set(record, view);
    }
    return view;
  }

  function ask(lookup: RecordLookup): (asked: Asked) => Promise<T | undefined> {
    const statement = recordLookupSql(kind, lookup);
    const answer = async (questions: readonly Asked[]): Promise<(T | undefined)[]> => {
      const { generation } = db.recordCache;
      const rows = await db.shortRead<Found & { n: number }>(statement, paramsOf(questions));
      // The versions we named were those of a database that is no longer there.
      if (db.recordCache.generation !== generation)
        return answer(questions.map((question) => ({ ...question, atHand: undefined })));
      const answers = new Array<T | undefined>(questions.length).fill(undefined);
      for (const { n, id, version, staff, changed } of rows) {
        const question = questions[n - 1];
        if (question?.address) addresses.set(question.address, id);
        const record = changed === null ? question?.atHand?.record : keepRow(id, version, changed);
        answers[n - 1] = viewOf(record as T, staff, question?.reader ?? null);
      }
      return answers;
    };
    return createBatcher(answer);
  }

  const asks = new Map(
    Object.entries<RecordLookup>(kind.lookups).map(([by, lookup]) => [by, ask(lookup)] as const),
  );
  const records = recordsByIdSql(kind);
  const anywhere = recordsOfAnyBusinessSql(kind);
  const pageRecords = pageRecordsSql(kind, maxPageBytes);
  /** By id; null for what is there but was left out of a page. */
  async function read(statement: string, params: readonly unknown[], reader: string | null) {
    const found = new Map<string, T | null>();
    for (const { id, version, staff, changed } of await db.shortRead<Found>(statement, params))
      found.set(id, changed === null ? null : viewOf(keepRow(id, version, changed), staff, reader));
    return found;
  }

  return {
    async find(by, { businessId, key, locale, reader }) {
      const address = by === 'id' ? '' : `${by}:${businessId}:${locale}:${key}`;
      const id = by === 'id' ? key : addresses.get(address);
      const atHand = id === undefined ? undefined : db.recordCache.get<T>(keyOf(id));
      return asks.get(by)?.({ address, atHand, businessId, key, locale, reader });
    },
    async loadPageRecords(businessId, reader, current) {
      const found = new Map<string, T | null>();
      const missing: string[] = [];
      for (const { id, version, staff } of current) {
        const kept = db.recordCache.get<T>(keyOf(id));
        if (kept?.version === version) found.set(id, viewOf(kept.record, staff, reader));
        else missing.push(id);
      }
      if (missing.length > 0) {
        const loaded =
          businessId === null
            ? read(anywhere, [reader, missing], reader)
            : read(pageRecords, [businessId, reader, missing], reader);
        for (const [id, record] of await loaded) found.set(id, record);
      }
      const end = current.findIndex(({ id }) => found.get(id) === null);
      const nodes = (end === -1 ? current : current.slice(0, end)).flatMap(({ id }) => found.get(id) ?? []);
      return end === -1 ? nodes : markTruncated(nodes);
    },
    loadByIds: (businessId, reader, ids) =>
      read(records, [businessId, reader, ids], reader) as Promise<Map<string, T>>,
    loadByIdsOfAnyBusiness: (reader, ids) => read(anywhere, [reader, ids], reader) as Promise<Map<string, T>>,
    put: (record) =>
      db.recordCache.put(keyOf(record.id), record.version, record, JSON.stringify(record).length),
  };
}

function paramsOf(questions: readonly Asked[]): unknown[] {
  const viewers = new Map<string, number>();
  const placeOf = ({ businessId, reader }: Asked) => {
    if (reader === null) return null;
    const viewer = `${businessId}${reader}`;
    const place = viewers.get(viewer) ?? viewers.size + 1;
    viewers.set(viewer, place);
    return place;
  };
  const places = questions.map(placeOf);
  const viewerKeys = [...viewers.keys()];
  return [
    questions.map(({ businessId }) => businessId),
    questions.map(({ key }) => key),
    questions.map(({ locale }) => locale ?? null),
    questions.map(({ atHand }) => atHand?.record.id ?? null),
    questions.map(({ atHand }) => atHand?.version ?? null),
    places,
    viewerKeys.map((viewer) => viewer.slice(0, idLength)),
    viewerKeys.map((viewer) => viewer.slice(idLength)),
  ];
}
