/** GraphQL filter and sort inputs of entries. Validation rules beyond the types are in filter-schemas.ts. */

import { builder } from '../../../graphql/schema/builder.ts';
import { type InputField, inputFields } from '../../../graphql/schema/field-tables.ts';
import { type EntryFilterFields, entrySorts } from './filter-schemas.ts';

export const EntrySortEnum = builder.enumType('EntrySort', {
  description:
    'Sort order of entries. UPDATED sorts by the last change. BLOCK sorts by the value of the block `sortBlock`: numbers and dates by value, false before true, texts in the locale of the entry by their first 200 lower-case characters. Entries without a value come last.',
  values: entrySorts,
});

export const EntryFilterInput = builder.inputType('EntryFilter', {
  description: 'Filter of entries; conditions are combined with AND.',
  fields: inputFields({
    blocks: [
      '[String!]',
      'Block values as `id:value`, such as `topic:news`, in any locale. Values of one block are combined with OR, different blocks with AND. Texts longer than 200 characters are not indexed and never match.',
    ],
    relatedTo: ['ID', 'Only entries with a relationship to the record with this id.'],
    locales: ['[String!]', 'Only entries written in one of these locales.'],
    createdFrom: ['Timestamp', 'Created at this time or later.'],
    createdTo: ['Timestamp', 'Created at this time or earlier.'],
    updatedFrom: ['Timestamp', 'Last changed at this time or later.'],
    updatedTo: ['Timestamp', 'Last changed at this time or earlier.'],
  } satisfies Record<keyof EntryFilterFields, InputField>),
});
