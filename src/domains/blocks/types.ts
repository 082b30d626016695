/** Blocks in the schema. */

import { pureField } from '../../graphql/fast/pure-fields.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { enumValues } from '../../graphql/schema/type-helpers.ts';
import { type Block, type BlockSettings, type blockTypes, parseTargetType, targetTypes } from './model.ts';

export const BlockTypeEnum = builder.enumType('BlockType', {
  description: 'What kind of value a block holds.',
  values: enumValues<(typeof blockTypes)[number]>({
    TEXT: 'A text, or one for each locale.',
    NUMBER: 'With or without a fraction, as JSON has it.',
    BOOLEAN: 'Yes or no.',
    DATE: 'A moment, in Unix seconds.',
    RELATIONSHIP: 'The id of another record, of the kind that its settings say.',
    GEO_LOCATION: 'A place on earth.',
    MEDIA: 'Images and other files.',
    SELECT: 'One of the options of its settings.',
    MULTI_SELECT: 'Any of the options of its settings.',
  }),
});

export const TargetTypeEnum = builder.enumType('RelationshipTargetType', {
  description: 'What a relationship points at.',
  values: targetTypes,
});

const BlockSettingsType = builder.objectRef<BlockSettings>('BlockSettings').implement({
  description: 'How a block of a schema restricts its values.',
  fields: (t) => ({
    maxLength: t.exposeInt('maxLength', { nullable: true, description: 'Longest text allowed (TEXT).' }),
    variant: t.exposeString('variant', { nullable: true, description: '`HTML` for rich content (TEXT).' }),
    targetType: t.exposeString('targetType', {
      nullable: true,
      description: 'What a relationship points at, such as `USER` (RELATIONSHIP).',
    }),
    target: t.field({
      ...pureField,
      type: TargetTypeEnum,
      nullable: true,
      description: 'The same as `targetType`, as an enum.',
      resolve: ({ targetType }) => parseTargetType(targetType) ?? null,
    }),
    options: t.exposeStringList('options', {
      nullable: true,
      description: 'The choices (SELECT, MULTI_SELECT).',
    }),
  }),
});

export const BlockObject = builder.objectRef<Block>('Block').implement({
  description: 'A typed field of content: a definition in schemas, a value in entries.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Key of the block within its schema.' }),
    type: t.expose('type', { type: BlockTypeEnum, description: 'Kind of value.' }),
    label: t.exposeString('label', { nullable: true, description: 'Name shown to editors.' }),
    required: t.exposeBoolean('required', {
      nullable: true,
      description: 'Whether entries must have a value.',
    }),
    settings: t.expose('settings', { type: BlockSettingsType, nullable: true, description: 'Restrictions.' }),
    value: t.expose('value', {
      type: 'JSON',
      nullable: true,
      description: 'The value, shaped by the type of the block.',
    }),
  }),
});
