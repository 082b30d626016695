/** The database layer as domains use it. Nothing else in src/db is imported by src/domains. */
export { BatchedInserts } from './batching/batched-inserts.ts';
export { type RetentionRule, retentionBatchSize } from './delete-expired-rows.ts';
export { classifyDbError, dbErrorToAppError } from './errors.ts';
export { contentReadDb, type Db, type QueryHandle } from './handles.ts';
export { distinctValuesSql } from './loose-index-scan.ts';
export { createSqlConditionBuilder, loadFilteredPage, parsePageOrder } from './pages/filtered-page.ts';
export { loadNullableSortPage } from './pages/nullable-sort-page.ts';
export { loadOwnedPage } from './pages/owned-page.ts';
export { buildPageQuery, type PageSource, pageSourceByAge } from './pages/page-query.ts';
export { createSiblingPageLoader } from './pages/sibling-pages.ts';
export { loadSortedPage, type SortedRange, type SortedRow } from './pages/sorted-page.ts';
export { hasTrigramSupport } from './pg-trgm-support.ts';
export { type CurrentRecordVersion, defineCachedRecords } from './records/cached-records.ts';
export { alwaysInJsonDocument, defineJsonDocumentList, toPrismaJson } from './records/document.ts';
export { concatRowsParams, defineTable, type TableRow } from './records/table.ts';
export { takeAdvisoryLock } from './transaction.ts';
