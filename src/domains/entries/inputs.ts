/** GraphQL input types of entries. Validation rules beyond the types are in schemas.ts and in the collection's schema. */
import { builder } from '../../graphql/schema/builder.ts';
import { deprecatedField } from '../../graphql/schema/deprecations.ts';
import { inputFields } from '../../graphql/schema/field-tables.ts';
import { BlockInput } from '../blocks/inputs.ts';
import { ContentStatusEntryInput, ContentStatusEnum } from '../collections/types.ts';

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const EntryOwnerInput = builder.inputType('EntryOwnerInput', {
  description: 'Owner of an entry: exactly one field.',
  isOneOf: true,
  fields: inputFields({
    collection: ['ID', 'Id or slug of a collection.'],
    order: ['ID', 'Id of an order of the same business.'],
    reservation: ['ID', 'Reservation id: free text, because reservations are managed by another system.'],
  }),
});

const entryFields = (t: InputFields, type: 'CreateEntryInput' | 'UpdateEntryInput') => ({
  collectionId: t.id({ description: 'Id or slug of the owning collection.' }),
  ownedBy: t.field({
    type: EntryOwnerInput,
    description: 'Owner of the entry, when it is not a collection.',
  }),
  owner: t.string({
    ...deprecatedField(`${type}.owner`),
    description:
      'Alternative to `collectionId`: `collection:<id or slug>`, `order:<id>` or `reservation:<id>`.',
  }),
  locale: t.string({ description: 'Locale in which the entry is written. Default on create: `en`.' }),
  blocks: t.field({
    type: [BlockInput],
    description: 'All block values. An update replaces the whole list.',
  }),
  statuses: t.field({
    type: [ContentStatusEntryInput],
    description: 'Statuses to append to the history. Default on create: DRAFT.',
  }),
  status: t.field({ type: ContentStatusEnum, description: 'Shorthand for `statuses` with one item.' }),
});

export const CreateEntryInput = builder.inputType('CreateEntryInput', {
  description: 'A new entry.',
  fields: (t) => entryFields(t, 'CreateEntryInput'),
});

export const UpdateEntryInput = builder.inputType('UpdateEntryInput', {
  description: 'Fields to change; omitted fields keep their value.',
  fields: (t) => entryFields(t, 'UpdateEntryInput'),
});
