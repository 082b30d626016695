/** `/v1/businesses/{businessId}/entries` */
import * as operations from '../../generated/operations.ts';
import { customRoute, deleteRoute, getRoute, listRoute, postRoute, putRoute } from '../../rest/route.ts';

const entries = '/v1/businesses/:businessId/entries';
const entry = `${entries}/:id` as const;

export const routes = [
  postRoute(entries, operations.CreateEntryDocument, { answer: 'createEntry.entry' }),
  listRoute(entries, operations.ListEntriesDocument, {
    query: ['ids', 'collectionId', 'owner', 'locale', 'status', 'inLocales', 'sort', 'sortBlock'],
    filter: ['blocks', 'relatedTo', 'locales', 'createdFrom', 'createdTo', 'updatedFrom', 'updatedTo'],
    answer: 'entries',
  }),
  customRoute('GET', entry, operations.GetEntryDocument, {
    query: ['locale'],
    answer: 'entry',
    missing: 'Entry',
  }),
  putRoute(entry, operations.UpdateEntryDocument, { answer: 'updateEntry.entry' }),
  customRoute('PUT', `${entry}/schedule`, operations.ScheduleEntryDocument, {
    fields: ['publishAt', 'unpublishAt'],
    answer: 'scheduleEntry.entry',
  }),
  listRoute(`${entry}/versions`, operations.ListEntryVersionsDocument, { answer: 'entryVersions' }),
  customRoute('GET', `${entry}/differences`, operations.CompareEntryVersionsDocument, {
    query: ['from', 'to'],
    answer: 'entryComparison',
  }),
  customRoute('POST', `${entry}/restore`, operations.RestoreEntryDocument, {
    fields: ['from'],
    answer: 'restoreEntry.entry',
  }),
  customRoute('POST', `${entry}/duplicate`, operations.DuplicateEntryDocument, {
    answer: 'duplicateEntry.entry',
  }),
  customRoute('POST', `${entries}/statuses`, operations.SetEntryStatusesDocument, {
    fields: ['ids', 'status'],
    answer: 'setEntryStatuses',
  }),
  putRoute(`${entry}/draft`, operations.SaveEntryDraftDocument, { answer: 'saveEntryDraft.draft' }),
  getRoute(`${entry}/draft`, operations.GetEntryDraftDocument, { answer: 'entry.draft', missing: 'Draft' }),
  deleteRoute(`${entry}/draft`, operations.DiscardEntryDraftDocument, { answer: 'discardEntryDraft' }),
  customRoute('POST', `${entry}/draft/publish`, operations.PublishEntryDraftDocument, {
    fields: ['draftVersion'],
    answer: 'publishEntryDraft.entry',
  }),
  customRoute('POST', `${entry}/previews`, operations.CreateEntryPreviewDocument, {
    fields: ['expiresIn'],
    answer: 'createEntryPreview',
  }),
  // Beside the entries, not below them: there every word may be a slug.
  getRoute('/v1/businesses/:businessId/entry-previews/:token', operations.GetEntryPreviewDocument, {
    answer: 'entryPreview',
    missing: 'Preview',
  }),
  deleteRoute(entry, operations.DeleteEntryDocument, { answer: 'deleteEntry' }),
];
