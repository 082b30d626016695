/** GraphQL types shared by several domains: media, status entries, deletion payload. */
import type { EnumRef } from '@pothos/core';
import { builder } from '../../graphql/schema/builder.ts';
import { inputFields, outputFields } from '../../graphql/schema/field-tables.ts';
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
  fields: outputFields({
    width: ['Int!', 'Width in pixels.'],
    height: ['Int!', 'Height in pixels.'],
    url: ['String!', 'URL of the image.'],
    mimeType: ['String!', 'Media type, such as `image/webp`.'],
  }),
});

export const MediaGraphqlType = builder.objectRef<MediaItem>('Media').implement({
  description: 'Image, video or other file, referenced by URL.',
  fields: outputFields((t) => ({
    key: t.exposeID('id', { description: 'Key of the item within its list.' }),
    url: ['String!', 'URL of the file.'],
    mimeType: ['String!', 'Media type, such as `image/jpeg`.'],
    mediaId: ['ID', 'Id of the uploaded file; null for an external URL.'],
    alt: ['String', 'Alternative text, up to 1,000 characters.'],
    width: ['Int', 'Width in pixels; null unless an uploaded image.'],
    height: ['Int', 'Height in pixels; null unless an uploaded image.'],
    resolutions: [
      [MediaResolutionGraphqlType],
      'Smaller renditions of an uploaded image, by ascending width; null for an external URL.',
    ],
  })),
});

export const MediaInput = builder.inputType('MediaInput', {
  description: 'A media item.',
  fields: inputFields({
    id: ['ID', 'Id of the media item. Default: derived from the URL or `mediaId`.'],
    url: ['String', 'http(s) URL or relative path. Required without `mediaId`.'],
    mimeType: ['String', 'Media type. Required without `mediaId`.'],
    mediaId: [
      'ID',
      'Id of an uploaded file of the business; URL, media type and sizes are taken from it. In products and entries only.',
    ],
    alt: ['String', 'Alternative text, up to 1,000 characters. Default: that of the uploaded file.'],
  }),
});

/** Defines the GraphQL type and input of the status entries of a domain. */
export function defineStatusEntryTypes<Status extends string>(
  name: string,
  status: EnumRef<typeof builder.$inferSchemaTypes, Status>,
) {
  const entry = builder.objectRef<StatusHistoryEntry<Status>>(name).implement({
    description: 'Entry of a status history; the last entry is the current status.',
    fields: outputFields((t) => ({
      key: t.exposeID('id', { description: 'Key of the entry within its history.' }),
      status: t.expose('status' as never, {
        type: status as never,
        description: 'Value from the time of this entry until the next entry.',
      }),
      changedBy: t.expose('changedBy', { type: ChangedByEnum, description: 'Kind of actor.' }),
      userId: [
        'ID',
        'Id of the acting user; only visible to staff with read access to the record and to the user themself.',
      ],
      timestamp: ['Timestamp!', 'Time of the change.'],
    })),
  });
  const input = builder.inputType(`${name}Input`, {
    description: 'Status to set. `changedBy`, `userId` and `timestamp` are honoured for API keys only.',
    fields: inputFields((t) => ({
      id: ['ID', 'Id of the entry. Default: generated. An id that is already in the history is ignored.'],
      status: t.field({
        type: status,
        required: true,
        description: 'New status; the record type defines the allowed transitions.',
      }),
      changedBy: [ChangedByEnum, 'Kind of actor.'],
      userId: ['ID', 'Id of the acting user.'],
      timestamp: ['Timestamp', 'Time of the change.'],
    })),
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
