/** GraphQL types that several domains share. */
import type { EnumRef } from '@pothos/core';
import { builder } from '../../graphql/schema/builder.ts';
import { enumValues } from '../../graphql/schema/type-helpers.ts';
import type { Media, MediaResolution, StatusEntry, statusChangers } from './model.ts';

const ChangedByEnum = builder.enumType('ChangedBy', {
  description: 'Who moved a status: a person (or a system acting for one), or the service itself.',
  values: enumValues<(typeof statusChangers)[number]>({
    USER: 'Somebody who was signed in, or a key of theirs.',
    SYSTEM: 'The gateway by itself: a payment came, a time was over.',
  }),
});

export const MediaResolutionType = builder.objectRef<MediaResolution>('MediaResolution').implement({
  description: 'The same image in another width.',
  fields: (t) => ({
    width: t.exposeInt('width', { description: 'Its width in pixels.' }),
    height: t.exposeInt('height', { description: 'Its height in pixels.' }),
    url: t.exposeString('url', { description: 'Where it is.' }),
    mimeType: t.exposeString('mimeType', { description: 'Its media type.' }),
  }),
});

export const MediaType = builder.objectRef<Media>('Media').implement({
  description: 'An image, video or other file by address.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the media item.' }),
    url: t.exposeString('url', { description: 'Where the file is.' }),
    mimeType: t.exposeString('mimeType', { description: 'Its media type, such as `image/jpeg`.' }),
    mediaId: t.exposeID('mediaId', { nullable: true, description: 'The uploaded file, if it is one.' }),
    alt: t.exposeString('alt', { nullable: true, description: 'What is seen, for those who cannot.' }),
    width: t.exposeInt('width', { nullable: true, description: 'Width of an uploaded image in pixels.' }),
    height: t.exposeInt('height', { nullable: true, description: 'Height of an uploaded image in pixels.' }),
    resolutions: t.expose('resolutions', {
      type: [MediaResolutionType],
      nullable: true,
      description: 'Smaller images made of an uploaded one, from narrow to wide.',
    }),
  }),
});

export const MediaInput = builder.inputType('MediaInput', {
  description: 'A media item.',
  fields: (t) => ({
    id: t.id({ description: 'Kept when given, made otherwise.' }),
    url: t.string({ description: 'http(s) address or relative path. Needed without a `mediaId`.' }),
    mimeType: t.string({ description: 'Media type. Needed without a `mediaId`.' }),
    mediaId: t.id({
      description:
        'An uploaded file of the business, in products and entries: address, type and sizes come with it.',
    }),
    alt: t.string({
      description:
        'What is seen, for those who cannot; that of the uploaded file otherwise. At most 1000 characters.',
    }),
  }),
});

/** Defines the type and the input of one domain's status entries. */
export function defineStatusEntryTypes<Status extends string>(
  name: string,
  status: EnumRef<typeof builder.$inferSchemaTypes, Status>,
) {
  const entry = builder.objectRef<StatusEntry<Status>>(name).implement({
    description: 'One step of a status history; the last one is current.',
    fields: (t) => ({
      id: t.exposeID('id', { description: 'Id of the entry.' }),
      status: t.expose('status' as never, { type: status as never, description: 'The status that was set.' }),
      changedBy: t.expose('changedBy', { type: ChangedByEnum, description: 'Who set it.' }),
      userId: t.exposeID('userId', {
        nullable: true,
        description: 'Who acted: told to staff who may read all of the record, and to the person themself.',
      }),
      timestamp: t.expose('timestamp', { type: 'Timestamp', description: 'When it was set.' }),
    }),
  });
  const input = builder.inputType(`${name}Input`, {
    description: 'A status to set. `changedBy`, `userId` and `timestamp` count only from API keys.',
    fields: (t) => ({
      id: t.id({ description: 'Kept when given; an id already in the history adds nothing.' }),
      status: t.field({
        type: status,
        required: true,
        description: 'What it comes to; the rules of the record say what may follow.',
      }),
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
