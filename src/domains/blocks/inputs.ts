/** What callers send as blocks. */
import { builder } from '../../graphql/schema/builder.ts';
import { MediaInput } from '../shared/types.ts';
import { BlockTypeEnum, TargetTypeEnum } from './types.ts';

const BlockSettingsInput = builder.inputType('BlockSettingsInput', {
  description: 'Restrictions of a block.',
  fields: (t) => ({
    maxLength: t.int({ description: 'Longest text allowed (TEXT).' }),
    variant: t.string({ description: '`HTML` for rich content (TEXT).' }),
    targetType: t.string({ description: 'What a relationship points at (RELATIONSHIP).' }),
    target: t.field({
      type: TargetTypeEnum,
      description: 'The same as `targetType`, as an enum.',
    }),
    options: t.stringList({ description: 'The choices (SELECT, MULTI_SELECT).' }),
  }),
});

const LocalTextInput = builder.inputType('LocalTextInput', {
  description: 'A text in one language.',
  fields: (t) => ({
    locale: t.string({ required: true, description: 'Such as `en` or `de-AT`.' }),
    text: t.string({ required: true, description: 'What readers of that locale see.' }),
  }),
});

const GeoLocationInput = builder.inputType('GeoLocationInput', {
  description: 'A place.',
  fields: (t) => ({
    latitude: t.float({ required: true, description: 'Degrees north.' }),
    longitude: t.float({ required: true, description: 'Degrees east.' }),
  }),
});

const BlockContentInput = builder.inputType('BlockContentInput', {
  description: 'The value of a block in the form of its type: exactly one of these.',
  isOneOf: true,
  fields: (t) => ({
    text: t.string({ description: 'Of a TEXT in one language.' }),
    texts: t.field({ type: [LocalTextInput], description: 'Of a TEXT by language.' }),
    number: t.float({ description: 'As JSON has it, for a block of this type.' }),
    boolean: t.boolean({ description: 'Yes or no, for a block of this type.' }),
    date: t.field({ type: 'Timestamp', description: 'Unix seconds, for a block of this type.' }),
    relationship: t.id({ description: 'Of a RELATIONSHIP: the id of the record.' }),
    location: t.field({ type: GeoLocationInput, description: 'Of a GEO_LOCATION.' }),
    media: t.field({ type: [MediaInput], description: 'Of a MEDIA block.' }),
    option: t.string({ description: 'Of a SELECT.' }),
    options: t.stringList({ description: 'Of a MULTI_SELECT.' }),
  }),
});

export const BlockInput = builder.inputType('BlockInput', {
  description: 'A block: a definition in schemas, a value in entries.',
  fields: (t) => ({
    id: t.id({ description: 'Key of the block. Needed, unless it is a block of an order that has a `key`.' }),
    key: t.string({
      description: 'Instead of `id` and `type` in orders and checkouts: the type is told from the value.',
    }),
    type: t.field({ type: BlockTypeEnum, description: 'Kind of value. Needed beside an `id`.' }),
    label: t.string({ description: 'Name shown to editors.' }),
    required: t.boolean({ description: 'Whether entries must have a value.' }),
    settings: t.field({ type: BlockSettingsInput, description: 'Restrictions.' }),
    content: t.field({ type: BlockContentInput, description: 'The value, typed; instead of `value`.' }),
    value: t.field({ type: 'JSON', description: 'The value, shaped by the type of the block.' }),
  }),
});
