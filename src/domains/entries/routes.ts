/** `/v1/businesses/{businessId}/entries` */
import * as operations from '../../generated/operations.ts';
import { act, create, get, list, remove, update } from '../../rest/row.ts';

const entries = '/v1/businesses/:businessId/entries';
const entry = `${entries}/:id` as const;

export const routes = [
  create(entries, operations.CreateEntryDocument, { answer: 'createEntry.entry' }),
  list(entries, operations.ListEntriesDocument, {
    query: ['ids', 'collectionId', 'owner', 'locale', 'status', 'inLocales', 'sort', 'sortBlock'],
    filter: ['blocks', 'relatedTo', 'locales', 'createdFrom', 'createdTo', 'updatedFrom', 'updatedTo'],
    answer: 'entries',
  }),
  act('GET', entry, operations.GetEntryDocument, {
    query: ['locale'],
    answer: 'entry',
    missing: 'Entry',
  }),
  update(entry, operations.UpdateEntryDocument, { answer: 'updateEntry.entry' }),
  act('PUT', `${entry}/schedule`, operations.ScheduleEntryDocument, {
    fields: ['publishAt', 'unpublishAt'],
    answer: 'scheduleEntry.entry',
  }),
  list(`${entry}/versions`, operations.ListEntryVersionsDocument, { answer: 'entryVersions' }),
  act('GET', `${entry}/differences`, operations.CompareEntryVersionsDocument, {
    query: ['from', 'to'],
    answer: 'entryComparison',
  }),
  act('POST', `${entry}/restore`, operations.RestoreEntryDocument, {
    fields: ['from'],
    answer: 'restoreEntry.entry',
  }),
  act('POST', `${entry}/duplicate`, operations.DuplicateEntryDocument, { answer: 'duplicateEntry.entry' }),
  act('POST', `${entries}/statuses`, operations.SetEntryStatusesDocument, {
    fields: ['ids', 'status'],
    answer: 'setEntryStatuses',
  }),
  update(`${entry}/draft`, operations.SaveEntryDraftDocument, { answer: 'saveEntryDraft.draft' }),
  get(`${entry}/draft`, operations.GetEntryDraftDocument, { answer: 'entry.draft', missing: 'Draft' }),
  remove(`${entry}/draft`, operations.DiscardEntryDraftDocument, { answer: 'discardEntryDraft' }),
  act('POST', `${entry}/draft/publish`, operations.PublishEntryDraftDocument, {
    fields: ['draftVersion'],
    answer: 'publishEntryDraft.entry',
  }),
  act('POST', `${entry}/previews`, operations.CreateEntryPreviewDocument, {
    fields: ['expiresIn'],
    answer: 'createEntryPreview',
  }),
  // Beside the entries, not below them: there every word may be a slug.
  get('/v1/businesses/:businessId/entry-previews/:token', operations.GetEntryPreviewDocument, {
    answer: 'entryPreview',
    missing: 'Preview',
  }),
  remove(entry, operations.DeleteEntryDocument, { answer: 'deleteEntry' }),
];
