/** REST routes below `/v1/businesses/{businessId}/entries`. */
import * as operations from '../../generated/operations.ts';
import { customRoute, deleteRoute, getRoute, listRoute, postRoute, putRoute } from '../../rest/route.ts';

const entries = '/v1/businesses/:businessId/entries';
const entry = `${entries}/:id` as const;

export const routes = [
  postRoute(entries, operations.CreateEntryDocument, { response: 'createEntry.entry' }),
  listRoute(entries, operations.ListEntriesDocument, {
    query: ['ids', 'collectionId', 'owner', 'locale', 'status', 'inLocales', 'sort', 'sortBlock'],
    filter: ['blocks', 'relatedTo', 'locales', 'createdFrom', 'createdTo', 'updatedFrom', 'updatedTo'],
    response: 'entries',
  }),
  customRoute('GET', entry, operations.GetEntryDocument, {
    query: ['locale'],
    response: 'entry',
    recordName: 'Entry',
  }),
  putRoute(entry, operations.UpdateEntryDocument, { response: 'updateEntry.entry' }),
  customRoute('PUT', `${entry}/schedule`, operations.ScheduleEntryDocument, {
    bodyFields: ['publishAt', 'unpublishAt'],
    response: 'scheduleEntry.entry',
  }),
  listRoute(`${entry}/versions`, operations.ListEntryVersionsDocument, { response: 'entryVersions' }),
  customRoute('GET', `${entry}/differences`, operations.CompareEntryVersionsDocument, {
    query: ['from', 'to'],
    response: 'entryComparison',
  }),
  customRoute('POST', `${entry}/restore`, operations.RestoreEntryDocument, {
    bodyFields: ['from'],
    response: 'restoreEntry.entry',
  }),
  customRoute('POST', `${entry}/duplicate`, operations.DuplicateEntryDocument, {
    response: 'duplicateEntry.entry',
  }),
  customRoute('POST', `${entries}/statuses`, operations.SetEntryStatusesDocument, {
    bodyFields: ['ids', 'status'],
    response: 'setEntryStatuses',
  }),
  putRoute(`${entry}/draft`, operations.SaveEntryDraftDocument, { response: 'saveEntryDraft.draft' }),
  getRoute(`${entry}/draft`, operations.GetEntryDraftDocument, {
    response: 'entry.draft',
    recordName: 'Draft',
  }),
  deleteRoute(`${entry}/draft`, operations.DiscardEntryDraftDocument, { response: 'discardEntryDraft' }),
  customRoute('POST', `${entry}/draft/publish`, operations.PublishEntryDraftDocument, {
    bodyFields: ['draftVersion'],
    response: 'publishEntryDraft.entry',
  }),
  customRoute('POST', `${entry}/previews`, operations.CreateEntryPreviewDocument, {
    bodyFields: ['expiresIn'],
    response: 'createEntryPreview',
  }),
  // Not below `/entries`, where any path segment may be a slug.
  getRoute('/v1/businesses/:businessId/entry-previews/:token', operations.GetEntryPreviewDocument, {
    response: 'entryPreview',
    recordName: 'Preview',
  }),
  deleteRoute(entry, operations.DeleteEntryDocument, { response: 'deleteEntry' }),
];
