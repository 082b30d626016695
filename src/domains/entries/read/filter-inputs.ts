/** GraphQL filter and sort inputs of entries. Validation rules beyond the types are in filter-schemas.ts. */
import { builder } from '../../../graphql/schema/builder.ts';
import { type EntryFilterFields, entrySorts } from './filter-schemas.ts';

export const EntrySortEnum = builder.enumType('EntrySort', {
  description:
    'Sort order of entries. UPDATED sorts by the last change. BLOCK sorts by the value of the block `sortBlock`: numbers and dates by value, false before true, texts in the locale of the entry by their first 200 lower-case characters. Entries without a value come last.',
  values: entrySorts,
});

export const EntryFilterInput = builder.inputType('EntryFilter', {
  description: 'Filter of entries; conditions are combined with AND.',
  fields: (t) =>
    ({
      blocks: t.stringList({
        description:
          'Block values as `id:value`, such as `topic:news`, in any locale. Values of one block are combined with OR, different blocks with AND. Texts longer than 200 characters are not indexed and never match.',
      }),
      relatedTo: t.id({ description: 'Only entries with a relationship to the record with this id.' }),
      locales: t.stringList({ description: 'Only entries written in one of these locales.' }),
      createdFrom: t.field({ type: 'Timestamp', description: 'Created at this time or later.' }),
      createdTo: t.field({ type: 'Timestamp', description: 'Created at this time or earlier.' }),
      updatedFrom: t.field({ type: 'Timestamp', description: 'Last changed at this time or later.' }),
      updatedTo: t.field({ type: 'Timestamp', description: 'Last changed at this time or earlier.' }),
    }) satisfies Record<keyof EntryFilterFields, unknown>,
});
