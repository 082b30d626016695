/** GraphQL types that several domains share. */
import type { EnumRef } from '@pothos/core';
import { builder } from '../../graphql/builder.ts';
import {
  type Block,
  type BlockSettings,
  blockTypes,
  changers,
  type Media,
  type StatusEntry,
} from './model.ts';

const ChangedByEnum = builder.enumType('ChangedBy', {
  description: 'Who moved a status: a person (or a system acting for one), or the service itself.',
  values: changers,
});

export const BlockTypeEnum = builder.enumType('BlockType', {
  description: 'What kind of value a block holds.',
  values: blockTypes,
});

export const MediaType = builder.objectRef<Media>('Media').implement({
  description: 'An image, video or other file by address.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the media item.' }),
    url: t.exposeString('url', { description: 'Where the file is.' }),
    mimeType: t.exposeString('mimeType', { description: 'Its media type, such as `image/jpeg`.' }),
  }),
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

export const MediaInput = builder.inputType('MediaInput', {
  description: 'A media item.',
  fields: (t) => ({
    id: t.id({ description: 'Kept when given, made otherwise.' }),
    url: t.string({ required: true, description: 'http(s) address or relative path.' }),
    mimeType: t.string({ required: true, description: 'Media type.' }),
  }),
});

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

/** Defines the type and the input of one domain's status entries. */
export function statusEntryTypes<Status extends string>(
  name: string,
  status: EnumRef<typeof builder.$inferSchemaTypes, Status>,
) {
  const entry = builder.objectRef<StatusEntry<Status>>(name).implement({
    description: 'One step of a status history; the last one is current.',
    fields: (t) => ({
      id: t.exposeID('id', { description: 'Id of the entry.' }),
      status: t.expose('status' as never, { type: status as never, description: 'The status that was set.' }),
      changedBy: t.expose('changedBy', { type: ChangedByEnum, description: 'Who set it.' }),
      userId: t.exposeID('userId', { nullable: true, description: 'The acting user.' }),
      timestamp: t.expose('timestamp', { type: 'Timestamp', description: 'When it was set.' }),
    }),
  });
  const input = builder.inputType(`${name}Input`, {
    description: 'A status to set. `changedBy`, `userId` and `timestamp` count only from API keys.',
    fields: (t) => ({
      id: t.id({ description: 'Kept when given; an id already in the history adds nothing.' }),
      status: t.field({ type: status, required: true, description: 'The status.' }),
      changedBy: t.field({ type: ChangedByEnum, description: 'Who set it.' }),
      userId: t.id({ description: 'The acting user.' }),
      timestamp: t.field({ type: 'Timestamp', description: 'When it was set.' }),
    }),
  });
  return { entry, input };
}

export const DeletedPayload = builder.objectRef<{ id: string }>('DeletedPayload').implement({
  description: 'What was deleted.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the deleted record.' }),
    deleted: t.boolean({ description: 'Always true.', resolve: () => true }),
  }),
});
