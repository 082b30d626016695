/** GraphQL payload of `setEntryStatuses`. */
import { builder } from '../../../graphql/schema/builder.ts';
import { describedEnumValues } from '../../../graphql/schema/payload-and-enum-helpers.ts';
import { EntryGraphqlType } from '../types.ts';
import type { EntryStatusChange, entryStatusResults } from './set-entry-statuses.ts';

const StatusResultEnum = builder.enumType('EntryStatusResult', {
  description: 'Result for one entry: CHANGED, UNCHANGED (it already had the status) or NOT_FOUND.',
  values: describedEnumValues<(typeof entryStatusResults)[number]>({
    CHANGED: 'The status was set.',
    UNCHANGED: 'The entry already had the status.',
    NOT_FOUND: 'The business has no entry with this id.',
  }),
});

const StatusResultGraphqlType = builder.objectRef<EntryStatusChange>('EntryStatusChange').implement({
  description: 'Result for one id.',
  fields: (t) => ({
    entryId: t.exposeID('id', { description: 'Id or slug from the request.' }),
    result: t.expose('result', { type: StatusResultEnum, description: 'Whether the status was set.' }),
    entry: t.expose('entry', {
      type: EntryGraphqlType,
      nullable: true,
      description: 'Entry after the change; null when NOT_FOUND.',
    }),
  }),
});

export const SetEntryStatusesPayload = builder
  .objectRef<{ results: EntryStatusChange[] }>('SetEntryStatusesPayload')
  .implement({
    description: 'Results in the order of the ids.',
    fields: (t) => ({
      results: t.expose('results', { type: [StatusResultGraphqlType], description: 'One result per id.' }),
    }),
  });
