/** GraphQL input types of blocks. */
import { builder } from '../../graphql/schema/builder.ts';
import { inputFields } from '../../graphql/schema/field-tables.ts';
import { MediaInput } from '../shared/media-and-status-graphql-types.ts';
import { BlockTypeEnum, RelationshipTargetTypeEnum } from './types.ts';

const BlockSettingsInput = builder.inputType('BlockSettingsInput', {
  description: 'Settings that restrict the values of a block.',
  fields: inputFields({
    maxLength: ['Int', 'Maximum text length in characters (TEXT).'],
    variant: ['String', '`HTML` for rich text, which is sanitised (TEXT).'],
    targetType: ['String', 'Target type, such as `USER` (RELATIONSHIP). Default: `ENTRY`.'],
    target: [RelationshipTargetTypeEnum, 'Target type as an enum; alternative to `targetType`.'],
    options: [
      '[String!]',
      'Allowed options, up to 500; without options any text is allowed (SELECT, MULTI_SELECT).',
    ],
  }),
});

const LocalTextInput = builder.inputType('LocalTextInput', {
  description: 'Text in one locale.',
  fields: inputFields({
    locale: ['String!', 'Locale, such as `en` or `de-AT`.'],
    text: ['String!', 'Text in that locale.'],
  }),
});

const GeoLocationInput = builder.inputType('GeoLocationInput', {
  description: 'Geographic coordinates.',
  fields: inputFields({
    latitude: ['Float!', 'Latitude in degrees, -90 to 90.'],
    longitude: ['Float!', 'Longitude in degrees, -180 to 180.'],
  }),
});

const BlockContentInput = builder.inputType('BlockContentInput', {
  description: 'Typed value of a block: exactly one field, which must fit the block type.',
  isOneOf: true,
  fields: inputFields({
    text: ['String', 'Text without locales (TEXT).'],
    texts: [[LocalTextInput], 'Texts by locale (TEXT).'],
    number: ['Float', 'Content of a NUMBER block.'],
    boolean: ['Boolean', 'Content of a BOOLEAN block.'],
    date: ['Timestamp', 'Unix seconds (DATE).'],
    relationship: ['ID', 'Id of the target record (RELATIONSHIP).'],
    location: [GeoLocationInput, 'Coordinates (GEO_LOCATION).'],
    media: [[MediaInput], 'Media items (MEDIA).'],
    option: ['String', 'Selected option (SELECT).'],
    options: ['[String!]', 'Selected options (MULTI_SELECT).'],
  }),
});

export const BlockInput = builder.inputType('BlockInput', {
  description: 'Block: a definition in the schema of a collection, a value elsewhere.',
  fields: inputFields({
    id: [
      'ID',
      'Id of the block within its record. Required, except for blocks of orders and checkouts that have a `key`.',
    ],
    key: [
      'String',
      'Alternative to `id` and `type` in orders and checkouts: the type is inferred from the value.',
    ],
    type: [BlockTypeEnum, 'Block type. Required together with `id`.'],
    label: ['String', 'Label for editors.'],
    required: ['Boolean', 'Whether entries must have a value. Default: false.'],
    settings: [BlockSettingsInput, 'Settings that restrict the value.'],
    content: [BlockContentInput, 'Typed value; alternative to `value`.'],
    value: ['JSON', 'Value as JSON; its form depends on the block type.'],
  }),
});
