/** GraphQL inputs of entries. Rules beyond types are in checks.ts and in the collection's schema. */

import { builder } from '../../graphql/schema/builder.ts';
import { deprecatedField } from '../../graphql/schema/deprecations.ts';
import { BlockInput } from '../blocks/inputs.ts';
import { ContentStatusEntryInput, ContentStatusEnum } from '../collections/types.ts';

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const EntryOwnerInput = builder.inputType('EntryOwnerInput', {
  description: 'What owns an entry: exactly one of these.',
  isOneOf: true,
  fields: (t) => ({
    collection: t.id({ description: 'Id or slug of a collection.' }),
    order: t.id({ description: 'Id of one in the same business.' }),
    reservation: t.id({ description: 'Its id: any text, since reservations are kept elsewhere.' }),
  }),
});

const entryFields = (t: InputFields, type: 'CreateEntryInput' | 'UpdateEntryInput') => ({
  collectionId: t.id({ description: 'Id or slug of the collection that owns it.' }),
  ownedBy: t.field({ type: EntryOwnerInput, description: 'What owns it, if not a collection.' }),
  owner: t.string({
    ...deprecatedField(`${type}.owner`),
    description: 'Instead of `collectionId`: `collection:<id or slug>`, `order:<id>` or `reservation:<id>`.',
  }),
  locale: t.string({ description: 'The locale it is written in. Default on create: `en`.' }),
  blocks: t.field({ type: [BlockInput], description: 'All its values; in an update the whole new list.' }),
  statuses: t.field({
    type: [ContentStatusEntryInput],
    description: 'Statuses to append to the history. Default on create: DRAFT.',
  }),
  status: t.field({ type: ContentStatusEnum, description: 'Shorthand for a history of one entry.' }),
});

export const CreateEntryInput = builder.inputType('CreateEntryInput', {
  description: 'A new entry.',
  fields: (t) => entryFields(t, 'CreateEntryInput'),
});

export const UpdateEntryInput = builder.inputType('UpdateEntryInput', {
  description: 'The fields to change.',
  fields: (t) => entryFields(t, 'UpdateEntryInput'),
});
