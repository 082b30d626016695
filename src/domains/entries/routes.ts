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
  definePostRoute(entries, operations.CreateEntryDocument),
  defineListRoute(entries, operations.ListEntriesDocument, {
    query: ['ids', 'collectionId', 'owner', 'locale', 'status', 'inLocales', 'sort', 'sortBlock'],
    filter: ['blocks', 'relatedTo', 'locales', 'createdFrom', 'createdTo', 'updatedFrom', 'updatedTo'],
  }),
  defineCustomRoute('GET', entry, operations.GetEntryDocument, { query: ['locale'], recordName: 'Entry' }),
  ...defineUpdateRoutes(entry, operations.UpdateEntryDocument),
  defineCustomRoute('PUT', `${entry}/schedule`, operations.ScheduleEntryDocument, {
    bodyFields: ['publishAt', 'unpublishAt'],
  }),
  defineListRoute(`${entry}/versions`, operations.ListEntryVersionsDocument),
  defineCustomRoute('GET', `${entry}/differences`, operations.CompareEntryVersionsDocument, {
    query: ['from', 'to'],
  }),
  defineCustomRoute('POST', `${entry}/restore`, operations.RestoreEntryDocument, { bodyFields: ['from'] }),
  defineCustomRoute('POST', `${entry}/duplicate`, operations.DuplicateEntryDocument, {
    creates: { location: entry },
  }),
  ...(['POST', 'PUT'] as const).map((method) =>
    defineCustomRoute(method, `${entries}/statuses`, operations.SetEntryStatusesDocument, {
      bodyFields: ['ids', 'status'],
      response: { at: 'setEntryStatuses' },
    }),
  ),
  ...defineUpdateRoutes(`${entry}/draft`, operations.SaveEntryDraftDocument),
  defineGetRoute(`${entry}/draft`, operations.GetEntryDraftDocument, { recordName: 'Draft' }),
  defineDeleteRoute(`${entry}/draft`, operations.DiscardEntryDraftDocument),
  defineCustomRoute('POST', `${entry}/draft/publish`, operations.PublishEntryDraftDocument, {
    bodyFields: ['draftVersion'],
  }),
  defineCustomRoute('POST', `${entry}/previews`, operations.CreateEntryPreviewDocument, {
    bodyFields: ['expiresIn'],
    creates: { location: preview },
  }),
  // Not below `/entries`, where any path segment may be a slug.
  defineGetRoute(preview, operations.GetEntryPreviewDocument, { recordName: 'Preview' }),
  defineDeleteRoute(entry, operations.DeleteEntryDocument),
];
