/** GraphQL inputs of what a list of entries is asked for. Rules beyond types are in find-checks.ts. */
import { builder } from '../../../graphql/schema/builder.ts';
import { type EntryFilterConditions, entrySorts } from './filter-schemas.ts';

export const EntrySortEnum = builder.enumType('EntrySort', {
  description:
    'The order of a list of entries. UPDATED is the last change. BLOCK is the value of the block `sortBlock` of a collection: numbers and dates by size, false before true, texts as in the locale of the entry, by their first 200 characters in small letters; entries without one come last.',
  values: entrySorts,
});

export const EntryFilterInput = builder.inputType('EntryFilter', {
  description: 'Which entries are meant: those that fulfil all that is said.',
  fields: (t) =>
    ({
      blocks: t.stringList({
        description:
          'Values of blocks as `id:value`, such as `topic:news`, in any locale. Values of one block are alternatives, different blocks must all be there. Texts of more than 200 characters are not looked at.',
      }),
      relatedTo: t.id({ description: 'Only those with a relationship to the record with this id.' }),
      locales: t.stringList({ description: 'Only those written in one of these locales.' }),
      createdFrom: t.field({ type: 'Timestamp', description: 'Created at this time or later.' }),
      createdTo: t.field({ type: 'Timestamp', description: 'Created at this time or earlier.' }),
      updatedFrom: t.field({ type: 'Timestamp', description: 'Last changed at this time or later.' }),
      updatedTo: t.field({ type: 'Timestamp', description: 'Last changed at this time or earlier.' }),
    }) satisfies Record<keyof EntryFilterConditions, unknown>,
});
