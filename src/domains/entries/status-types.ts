/** GraphQL types of what became of many entries. */
import { builder } from '../../graphql/builder.ts';
import { described } from '../../graphql/described.ts';
import type { StatusResult, statusResults } from './set-statuses.ts';
import { EntryType } from './types.ts';

const StatusResultEnum = builder.enumType('EntryStatusResult', {
  description: 'What became of an entry: CHANGED, UNCHANGED (it had the status already) or NOT_FOUND.',
  values: described<(typeof statusResults)[number]>({
    CHANGED: 'It has the status now.',
    UNCHANGED: 'It had the status already.',
    NOT_FOUND: 'There is no such entry in the business.',
  }),
});

const StatusResultType = builder.objectRef<StatusResult>('EntryStatusChange').implement({
  description: 'What became of one of many entries.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id that was sent.' }),
    result: t.expose('result', { type: StatusResultEnum, description: 'What became of it.' }),
    entry: t.expose('entry', { type: EntryType, nullable: true, description: 'The entry as it is now.' }),
  }),
});

export const StatusResultsPayload = builder
  .objectRef<{ results: StatusResult[] }>('SetEntryStatusesPayload')
  .implement({
    description: 'What became of each entry, in the order of the ids.',
    fields: (t) => ({
      results: t.expose('results', { type: [StatusResultType], description: 'One for each id.' }),
    }),
  });
