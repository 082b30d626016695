/** What callers send as blocks. */
import { builder } from '../../graphql/builder.ts';
import { BlockTypeEnum } from './types.ts';

const BlockSettingsInput = builder.inputType('BlockSettingsInput', {
  description: 'Restrictions of a block.',
  fields: (t) => ({
    maxLength: t.int({ description: 'Longest text allowed (TEXT).' }),
    variant: t.string({ description: '`HTML` for rich content (TEXT).' }),
    targetType: t.string({ description: 'What a relationship points at (RELATIONSHIP).' }),
    options: t.stringList({ description: 'The choices (SELECT, MULTI_SELECT).' }),
  }),
});

export const BlockInput = builder.inputType('BlockInput', {
  description: 'A block: a definition in schemas, a value in entries.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Key of the block.' }),
    type: t.field({ type: BlockTypeEnum, required: true, description: 'Kind of value.' }),
    label: t.string({ description: 'Name shown to editors.' }),
    required: t.boolean({ description: 'Whether entries must have a value.' }),
    settings: t.field({ type: BlockSettingsInput, description: 'Restrictions.' }),
    value: t.field({ type: 'JSON', description: 'The value.' }),
  }),
});
