/** GraphQL types of blocks. */
import { builder } from '../../graphql/schema/builder.ts';
import { outputFields } from '../../graphql/schema/field-tables.ts';
import { describedEnumValues } from '../../graphql/schema/payload-and-enum-helpers.ts';
import {
  type Block,
  type BlockSettings,
  type blockTypes,
  parseRelationshipTargetType,
  relationshipTargetTypes,
} from './model.ts';

export const BlockTypeEnum = builder.enumType('BlockType', {
  description: 'Type of the value of a block.',
  values: describedEnumValues<(typeof blockTypes)[number]>({
    TEXT: 'Text, or texts by locale.',
    NUMBER: 'JSON number.',
    BOOLEAN: 'True or false.',
    DATE: 'Time in Unix seconds.',
    RELATIONSHIP: 'Id of another record; the settings define its type.',
    GEO_LOCATION: 'Geographic coordinates.',
    MEDIA: 'One media item or a list of them.',
    SELECT: 'One of the options in the settings.',
    MULTI_SELECT: 'Any number of the options in the settings.',
  }),
});

export const RelationshipTargetTypeEnum = builder.enumType('RelationshipTargetType', {
  description: 'Type of the record that a relationship points to.',
  values: relationshipTargetTypes,
});

const BlockSettingsGraphqlType = builder.objectRef<BlockSettings>('BlockSettings').implement({
  description: 'Settings that restrict the values of a block.',
  fields: outputFields((t) => ({
    maxLength: ['Int', 'Maximum text length in characters (TEXT).'],
    variant: ['String', '`HTML` for rich text (TEXT).'],
    targetType: ['String', 'Target type, such as `USER`; null means `ENTRY` (RELATIONSHIP).'],
    target: t.field({
      pure: true,
      type: RelationshipTargetTypeEnum,
      nullable: true,
      description: 'Target type as an enum; null when `targetType` is not one of its values.',
      resolve: ({ targetType }) => parseRelationshipTargetType(targetType) ?? null,
    }),
    options: ['[String!]', 'Allowed options; null allows any text (SELECT, MULTI_SELECT).'],
  })),
});

export const BlockGraphqlType = builder.objectRef<Block>('Block').implement({
  description: 'Typed content field: a definition in the schema of a collection, a value elsewhere.',
  fields: outputFields((t) => ({
    key: t.exposeID('id', { description: 'Key of the block within its record.' }),
    type: t.expose('type', { type: BlockTypeEnum, description: 'Kind of value.' }),
    label: ['String', 'Label for editors.'],
    required: ['Boolean', 'Whether entries must have a value.'],
    settings: [BlockSettingsGraphqlType, 'Settings that restrict the value.'],
    value: ['JSON', 'Value as JSON; its form depends on the block type.'],
  })),
});
