/** GraphQL types shared by several domains: media, status entries, deletion payload. */
import type { EnumRef } from '@pothos/core';
import { builder } from '../../graphql/schema/builder.ts';
import { describedEnumValues } from '../../graphql/schema/payload-and-enum-helpers.ts';
import type {
  MediaItem,
  MediaResolution,
  StatusHistoryEntry,
  statusActorKinds,
} from './media-and-status-history-types.ts';

const ChangedByEnum = builder.enumType('ChangedBy', {
  description: 'Kind of actor that set a status.',
  values: describedEnumValues<(typeof statusActorKinds)[number]>({
    USER: 'A signed-in user or an API key.',
    SYSTEM: 'The gateway itself, for example after a payment or a timeout.',
  }),
});

export const MediaResolutionGraphqlType = builder.objectRef<MediaResolution>('MediaResolution').implement({
  description: 'Smaller rendition of an uploaded image.',
  fields: (t) => ({
    width: t.exposeInt('width', { description: 'Width in pixels.' }),
    height: t.exposeInt('height', { description: 'Height in pixels.' }),
    url: t.exposeString('url', { description: 'URL of the image.' }),
    mimeType: t.exposeString('mimeType', { description: 'Media type, such as `image/webp`.' }),
  }),
});

export const MediaGraphqlType = builder.objectRef<MediaItem>('Media').implement({
  description: 'Image, video or other file, referenced by URL.',
  fields: (t) => ({
    key: t.exposeID('id', { description: 'Key of the item within its list.' }),
    url: t.exposeString('url', { description: 'URL of the file.' }),
    mimeType: t.exposeString('mimeType', { description: 'Media type, such as `image/jpeg`.' }),
    mediaId: t.exposeID('mediaId', {
      nullable: true,
      description: 'Id of the uploaded file; null for an external URL.',
    }),
    alt: t.exposeString('alt', { nullable: true, description: 'Alternative text, up to 1,000 characters.' }),
    width: t.exposeInt('width', {
      nullable: true,
      description: 'Width in pixels; null unless an uploaded image.',
    }),
    height: t.exposeInt('height', {
      nullable: true,
      description: 'Height in pixels; null unless an uploaded image.',
    }),
    resolutions: t.expose('resolutions', {
      type: [MediaResolutionGraphqlType],
      nullable: true,
      description: 'Smaller renditions of an uploaded image, by ascending width; null for an external URL.',
    }),
  }),
});

export const MediaInput = builder.inputType('MediaInput', {
  description: 'A media item.',
  fields: (t) => ({
    id: t.id({ description: 'Id of the media item. Default: derived from the URL or `mediaId`.' }),
    url: t.string({ description: 'http(s) URL or relative path. Required without `mediaId`.' }),
    mimeType: t.string({ description: 'Media type. Required without `mediaId`.' }),
    mediaId: t.id({
      description:
        'Id of an uploaded file of the business; URL, media type and sizes are taken from it. In products and entries only.',
    }),
    alt: t.string({
      description: 'Alternative text, up to 1,000 characters. Default: that of the uploaded file.',
    }),
  }),
});

/** Defines the GraphQL type and input of the status entries of a domain. */
export function defineStatusEntryTypes<Status extends string>(
  name: string,
  status: EnumRef<typeof builder.$inferSchemaTypes, Status>,
) {
  const entry = builder.objectRef<StatusHistoryEntry<Status>>(name).implement({
    description: 'Entry of a status history; the last entry is the current status.',
    fields: (t) => ({
      key: t.exposeID('id', { description: 'Key of the entry within its history.' }),
      status: t.expose('status' as never, {
        type: status as never,
        description: 'Value from the time of this entry until the next entry.',
      }),
      changedBy: t.expose('changedBy', { type: ChangedByEnum, description: 'Kind of actor.' }),
      userId: t.exposeID('userId', {
        nullable: true,
        description:
          'Id of the acting user; only visible to staff with read access to the record and to the user themself.',
      }),
      timestamp: t.expose('timestamp', { type: 'Timestamp', description: 'Time of the change.' }),
    }),
  });
  const input = builder.inputType(`${name}Input`, {
    description: 'Status to set. `changedBy`, `userId` and `timestamp` are honoured for API keys only.',
    fields: (t) => ({
      id: t.id({
        description: 'Id of the entry. Default: generated. An id that is already in the history is ignored.',
      }),
      status: t.field({
        type: status,
        required: true,
        description: 'New status; the record type defines the allowed transitions.',
      }),
      changedBy: t.field({ type: ChangedByEnum, description: 'Kind of actor.' }),
      userId: t.id({ description: 'Id of the acting user.' }),
      timestamp: t.field({ type: 'Timestamp', description: 'Time of the change.' }),
    }),
  });
  return { entry, input };
}

export const DeletedPayload = builder.objectRef<{ id: string }>('DeletedPayload').implement({
  description: 'Result of a deletion.',
  fields: (t) => ({
    deletedId: t.exposeID('id', { description: 'Id or key of the deleted record.' }),
    deleted: t.boolean({ description: 'Always true.', resolve: () => true }),
  }),
});
