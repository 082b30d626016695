/** GraphQL types of media. */
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection-types.ts';
import { type OutputField, outputFields } from '../../graphql/schema/field-tables.ts';
import {
  NodeGraphqlInterface,
  TimestampedGraphqlInterface,
  VersionedGraphqlInterface,
} from '../../graphql/schema/node-timestamped-and-versioned-interfaces.ts';
import { describedEnumValues } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { MediaResolutionGraphqlType } from '../shared/media-and-status-graphql-types.ts';
import type { MediaFile, mediaStates, UploadForm } from './model.ts';

export const MediaStateEnum = builder.enumType('MediaState', {
  description:
    'State of a media file: UPLOADING until the file is received, PROCESSING while resolutions are generated, then READY, or FAILED if the image cannot be decoded.',
  values: describedEnumValues<(typeof mediaStates)[number]>({
    UPLOADING: 'The file has not been received yet.',
    PROCESSING: 'Resolutions are being generated.',
    READY: 'The file and its resolutions are available.',
    FAILED: 'The image cannot be decoded and is not served.',
  }),
});

export const MediaFileGraphqlType = builder.objectRef<MediaFile>('MediaFile').implement({
  interfaces: [NodeGraphqlInterface, TimestampedGraphqlInterface, VersionedGraphqlInterface],
  description: 'File uploaded by a business.',
  fields: outputFields(
    (t) =>
      ({
        id: ['ID!', 'Id of the file.'],
        businessId: ['ID!', 'Id of the business.'],
        state: t.expose('state', { type: MediaStateEnum, description: 'Processing state.' }),
        fileName: ['String!', 'File name in the URL.'],
        url: ['String', 'URL of the file; null until it is uploaded.'],
        mimeType: ['String!', 'Media type, detected from the content.'],
        size: ['Int!', 'File size in bytes.'],
        width: ['Int', 'Width in pixels; null unless the file is a raster image.'],
        height: ['Int', 'Height in pixels; null unless the file is a raster image.'],
        alt: ['String!', 'Alternative text; may be empty.'],
        resolutions: t.expose('resolutions', {
          type: [MediaResolutionGraphqlType],
          description: 'Scaled-down versions of the image, narrowest first.',
        }),
        version: ['Int!', 'Incremented by every change. Pass it to an update to detect concurrent changes.'],
        createdAt: ['Timestamp!', 'When it was created.'],
        updatedAt: ['Timestamp!', 'When it was last changed.'],
      }) satisfies Record<keyof MediaFile, OutputField>,
  ),
});

export const MediaFileConnection = createConnectionType('MediaFile', MediaFileGraphqlType);

export const UploadFieldGraphqlType = builder
  .objectRef<UploadForm['fields'][number]>('UploadField')
  .implement({
    description: 'Field of the upload form.',
    fields: outputFields({
      name: ['String!', 'Name of the form field.'],
      value: ['String!', 'Value of the form field, to be sent unchanged.'],
    }),
  });

export const UploadGraphqlType = builder.objectRef<UploadForm>('Upload').implement({
  description:
    'Upload form for one file, valid once and for 15 minutes. Send it as multipart/form-data: first its fields, then the file as `file`.',
  fields: outputFields((t) => ({
    mediaId: ['ID!', 'Id of the media file.'],
    uploadUrl: ['String!', 'URL to POST the form to.'],
    fields: t.expose('fields', {
      type: [UploadFieldGraphqlType],
      description: 'Form fields to send before the file.',
    }),
    expiresAt: ['Timestamp!', 'When the form expires.'],
  })),
});
