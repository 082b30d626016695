/** The database layer as domains use it. Nothing else in src/db is imported by src/domains. */
export { BatchedInserts } from './batching/batched-inserts.ts';
export { type RetentionRule, retentionBatchSize } from './delete-expired-rows.ts';
export { classifyDbError, dbErrorToAppError } from './errors.ts';
export { contentReadDb, type Db, type Queries } from './handles.ts';
export { distinctValuesSql } from './loose-index-scan.ts';
export { createConditionBuilder, loadFilteredPage, parsePageOrder } from './pages/filtered-page.ts';
export { loadNullableSortPage } from './pages/nullable-sort-page.ts';
export { loadOwnedPage } from './pages/owned-page.ts';
export { buildPageQuery, type PageSource, pageSourceByAge } from './pages/page-query.ts';
export { createSiblingPageLoader } from './pages/sibling-pages.ts';
export { loadSortedPage, type SortedRange as SortedSlice, type SortedRow } from './pages/sorted-page.ts';
export { hasTrigramSupport } from './pg-trgm-support.ts';
export { type CurrentVersion, defineCachedRecords } from './records/cached-records.ts';
export { alwaysPresent, documentListShape, toJsonDocument } from './records/document.ts';
export { concatRowsParams, defineTable, type TableRow } from './records/table.ts';
export { takeAdvisoryLock } from './transaction.ts';
