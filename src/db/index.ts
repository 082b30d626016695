/** The database layer as domains use it. Nothing else in src/db is imported by src/domains. */

export { takeAdvisoryLock } from './advisory-lock.ts';
export { BatchedInserts } from './batching/index.ts';
export { classifyDbError, dbErrorToAppError, isInvalidStatementError } from './classify-db-errors.ts';
export { type RetentionRule, retentionBatchSize } from './delete-expired-rows.ts';
export { hasTrigramSupport } from './detect-pg-trgm.ts';
export { accountsOf, businessServersOf, type Db, type QueryHandle, removeDeadline } from './handles.ts';
export { buildDistinctValuesSql } from './loose-index-scan.ts';
export { createSqlConditionBuilder, loadFilteredPage, parsePageOrder } from './pages/filtered-page.ts';
export { mergePrismaModels, mergeRowsOfServers } from './pages/merge-rows-of-servers.ts';
export { loadNullableSortPage } from './pages/nullable-sort-page.ts';
export { loadOwnedPage } from './pages/owned-page.ts';
export { buildPageQuery, buildPageSourceByAge, type PageSource } from './pages/page-query.ts';
export { definePageRecordSource } from './pages/page-record-source.ts';
export { loadPrismaPage, type PrismaModel } from './pages/prisma-page.ts';
export { createSiblingPageLoader } from './pages/sibling-pages.ts';
export { loadSortedPage, type SortedRange, type SortedRow } from './pages/sorted-page.ts';
export {
  type CurrentRecordVersion,
  defineCachedPageRecordSource,
  defineCachedRecords,
  defineCachedSiblingPageRecordSource,
  selectContentReadDb,
} from './records/cached-records.ts';
export {
  alwaysInJsonDocument,
  defineJsonDocumentList,
  toPrismaJson,
} from './records/json-document-codec.ts';
export { concatRowsParams, defineTable, type UntypedRow } from './records/typed-table.ts';
export { buildWritableBusinessSql, findBusinessesElsewhere } from './write-fences.ts';
