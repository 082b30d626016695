/** GraphQL input types of blocks. */
import { builder } from '../../graphql/schema/builder.ts';
import { MediaInput } from '../shared/media-and-status-graphql-types.ts';
import { BlockTypeEnum, RelationshipTargetTypeEnum } from './types.ts';

const BlockSettingsInput = builder.inputType('BlockSettingsInput', {
  description: 'Settings that restrict the values of a block.',
  fields: (t) => ({
    maxLength: t.int({ description: 'Maximum text length in characters (TEXT).' }),
    variant: t.string({ description: '`HTML` for rich text, which is sanitised (TEXT).' }),
    targetType: t.string({ description: 'Target type, such as `USER` (RELATIONSHIP). Default: `ENTRY`.' }),
    target: t.field({
      type: RelationshipTargetTypeEnum,
      description: 'Target type as an enum; alternative to `targetType`.',
    }),
    options: t.stringList({
      description: 'Allowed options, up to 500; without options any text is allowed (SELECT, MULTI_SELECT).',
    }),
  }),
});

const LocalTextInput = builder.inputType('LocalTextInput', {
  description: 'Text in one locale.',
  fields: (t) => ({
    locale: t.string({ required: true, description: 'Locale, such as `en` or `de-AT`.' }),
    text: t.string({ required: true, description: 'Text in that locale.' }),
  }),
});

const GeoLocationInput = builder.inputType('GeoLocationInput', {
  description: 'Geographic coordinates.',
  fields: (t) => ({
    latitude: t.float({ required: true, description: 'Latitude in degrees, -90 to 90.' }),
    longitude: t.float({ required: true, description: 'Longitude in degrees, -180 to 180.' }),
  }),
});

const BlockContentInput = builder.inputType('BlockContentInput', {
  description: 'Typed value of a block: exactly one field, which must fit the block type.',
  isOneOf: true,
  fields: (t) => ({
    text: t.string({ description: 'Text without locales (TEXT).' }),
    texts: t.field({ type: [LocalTextInput], description: 'Texts by locale (TEXT).' }),
    number: t.float({ description: 'Content of a NUMBER block.' }),
    boolean: t.boolean({ description: 'Content of a BOOLEAN block.' }),
    date: t.field({ type: 'Timestamp', description: 'Unix seconds (DATE).' }),
    relationship: t.id({ description: 'Id of the target record (RELATIONSHIP).' }),
    location: t.field({ type: GeoLocationInput, description: 'Coordinates (GEO_LOCATION).' }),
    media: t.field({ type: [MediaInput], description: 'Media items (MEDIA).' }),
    option: t.string({ description: 'Selected option (SELECT).' }),
    options: t.stringList({ description: 'Selected options (MULTI_SELECT).' }),
  }),
});

export const BlockInput = builder.inputType('BlockInput', {
  description: 'Block: a definition in the schema of a collection, a value elsewhere.',
  fields: (t) => ({
    id: t.id({
      description:
        'Id of the block within its record. Required, except for blocks of orders and checkouts that have a `key`.',
    }),
    key: t.string({
      description:
        'Alternative to `id` and `type` in orders and checkouts: the type is inferred from the value.',
    }),
    type: t.field({ type: BlockTypeEnum, description: 'Block type. Required together with `id`.' }),
    label: t.string({ description: 'Label for editors.' }),
    required: t.boolean({ description: 'Whether entries must have a value. Default: false.' }),
    settings: t.field({ type: BlockSettingsInput, description: 'Settings that restrict the value.' }),
    content: t.field({ type: BlockContentInput, description: 'Typed value; alternative to `value`.' }),
    value: t.field({ type: 'JSON', description: 'Value as JSON; its form depends on the block type.' }),
  }),
});
