/** REST routes below `/v1/businesses/{businessId}/entries`. */
import * as operations from '../../generated/operations.ts';
import {
  defineCustomRoute,
  defineDeleteRoute,
  defineGetRoute,
  defineListRoute,
  definePostRoute,
  defineUpdateRoutes,
} from '../../rest/route.ts';

const entries = '/v1/businesses/:businessId/entries';
const entry = `${entries}/:id` as const;
const preview = '/v1/businesses/:businessId/entry-previews/:token';

export const routes = [
  definePostRoute(entries, operations.CreateEntryDocument, { response: 'createEntry.entry' }),
  defineListRoute(entries, operations.ListEntriesDocument, {
    query: ['ids', 'collectionId', 'owner', 'locale', 'status', 'inLocales', 'sort', 'sortBlock'],
    filter: ['blocks', 'relatedTo', 'locales', 'createdFrom', 'createdTo', 'updatedFrom', 'updatedTo'],
    response: 'entries',
  }),
  defineCustomRoute('GET', entry, operations.GetEntryDocument, {
    query: ['locale'],
    response: 'entry',
    recordName: 'Entry',
  }),
  ...defineUpdateRoutes(entry, operations.UpdateEntryDocument, { response: 'updateEntry.entry' }),
  defineCustomRoute('PUT', `${entry}/schedule`, operations.ScheduleEntryDocument, {
    bodyFields: ['publishAt', 'unpublishAt'],
    response: 'scheduleEntry.entry',
  }),
  defineListRoute(`${entry}/versions`, operations.ListEntryVersionsDocument, { response: 'entryVersions' }),
  defineCustomRoute('GET', `${entry}/differences`, operations.CompareEntryVersionsDocument, {
    query: ['from', 'to'],
    response: 'entryComparison',
  }),
  defineCustomRoute('POST', `${entry}/restore`, operations.RestoreEntryDocument, {
    bodyFields: ['from'],
    response: 'restoreEntry.entry',
  }),
  defineCustomRoute('POST', `${entry}/duplicate`, operations.DuplicateEntryDocument, {
    response: 'duplicateEntry.entry',
    creates: { location: entry },
  }),
  ...(['POST', 'PUT'] as const).map((method) =>
    defineCustomRoute(method, `${entries}/statuses`, operations.SetEntryStatusesDocument, {
      bodyFields: ['ids', 'status'],
      response: 'setEntryStatuses',
    }),
  ),
  ...defineUpdateRoutes(`${entry}/draft`, operations.SaveEntryDraftDocument, {
    response: 'saveEntryDraft.draft',
  }),
  defineGetRoute(`${entry}/draft`, operations.GetEntryDraftDocument, {
    response: 'entry.draft',
    recordName: 'Draft',
  }),
  defineDeleteRoute(`${entry}/draft`, operations.DiscardEntryDraftDocument, {
    response: 'discardEntryDraft',
  }),
  defineCustomRoute('POST', `${entry}/draft/publish`, operations.PublishEntryDraftDocument, {
    bodyFields: ['draftVersion'],
    response: 'publishEntryDraft.entry',
  }),
  defineCustomRoute('POST', `${entry}/previews`, operations.CreateEntryPreviewDocument, {
    bodyFields: ['expiresIn'],
    response: 'createEntryPreview',
    creates: { location: preview },
  }),
  // Not below `/entries`, where any path segment may be a slug.
  defineGetRoute(preview, operations.GetEntryPreviewDocument, {
    response: 'entryPreview',
    recordName: 'Preview',
  }),
  defineDeleteRoute(entry, operations.DeleteEntryDocument, { response: 'deleteEntry' }),
];
