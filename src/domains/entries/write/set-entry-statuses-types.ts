/** GraphQL types of what became of many entries. */
import { builder } from '../../../graphql/schema/builder.ts';
import { enumValues } from '../../../graphql/schema/type-helpers.ts';
import { EntryType } from '../types.ts';
import type { EntryStatusChange, entryStatusResults } from './set-entry-statuses.ts';

const StatusResultEnum = builder.enumType('EntryStatusResult', {
  description: 'What became of an entry: CHANGED, UNCHANGED (it had the status already) or NOT_FOUND.',
  values: enumValues<(typeof entryStatusResults)[number]>({
    CHANGED: 'It has the status now.',
    UNCHANGED: 'It had the status already.',
    NOT_FOUND: 'There is no such entry in the business.',
  }),
});

const StatusResultType = builder.objectRef<EntryStatusChange>('EntryStatusChange').implement({
  description: 'What became of one of many entries.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id that was sent.' }),
    result: t.expose('result', { type: StatusResultEnum, description: 'What became of it.' }),
    entry: t.expose('entry', { type: EntryType, nullable: true, description: 'The entry as it is now.' }),
  }),
});

export const SetEntryStatusesPayload = builder
  .objectRef<{ results: EntryStatusChange[] }>('SetEntryStatusesPayload')
  .implement({
    description: 'What became of each entry, in the order of the ids.',
    fields: (t) => ({
      results: t.expose('results', { type: [StatusResultType], description: 'One for each id.' }),
    }),
  });
