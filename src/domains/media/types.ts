/** GraphQL types of media. */
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection.ts';
import { NodeInterface, Timestamped, Versioned } from '../../graphql/schema/interfaces.ts';
import { enumValues } from '../../graphql/schema/type-helpers.ts';
import { MediaResolutionType } from '../shared/types.ts';
import type { MediaFile, mediaStates, UploadForm } from './model.ts';

export const MediaStateEnum = builder.enumType('MediaState', {
  description:
    'UPLOADING until the file has come, PROCESSING while its smaller images are made, then READY; FAILED if it cannot be decoded.',
  values: enumValues<(typeof mediaStates)[number]>({
    UPLOADING: 'The file is waited for.',
    PROCESSING: 'Its smaller images are made.',
    READY: 'It can be shown.',
    FAILED: 'It cannot be decoded.',
  }),
});

export const MediaFileType = builder.objectRef<MediaFile>('MediaFile').implement({
  interfaces: [NodeInterface, Timestamped, Versioned],
  description: 'A file that the business has uploaded.',
  fields: (t) =>
    ({
      id: t.exposeID('id', { description: 'Id of the file.' }),
      businessId: t.exposeID('businessId', { description: 'The business it belongs to.' }),
      state: t.expose('state', { type: MediaStateEnum, description: 'How far it is.' }),
      fileName: t.exposeString('fileName', { description: 'What it is called in its address.' }),
      url: t.exposeString('url', { nullable: true, description: 'Where it is, once it was uploaded.' }),
      mimeType: t.exposeString('mimeType', { description: 'Its media type, by its content.' }),
      size: t.exposeInt('size', { description: 'Its size in bytes.' }),
      width: t.exposeInt('width', { nullable: true, description: 'Width of an image in pixels.' }),
      height: t.exposeInt('height', { nullable: true, description: 'Height of an image in pixels.' }),
      alt: t.exposeString('alt', { description: 'What is seen, for those who cannot; may be empty.' }),
      resolutions: t.expose('resolutions', {
        type: [MediaResolutionType],
        description: 'Smaller images made of it, from narrow to wide.',
      }),
      version: t.exposeInt('version', {
        description: 'Grows with every change; send it back to guard an update.',
      }),
      createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was created.' }),
      updatedAt: t.expose('updatedAt', { type: 'Timestamp', description: 'When it was last changed.' }),
    }) satisfies Record<keyof MediaFile, unknown>,
});

export const MediaFileConnection = createConnectionType('MediaFile', MediaFileType);

export const UploadField = builder.objectRef<UploadForm['fields'][number]>('UploadField').implement({
  description: 'A field of the form.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What the field of the form is called.' }),
    value: t.exposeString('value', { description: 'To be sent exactly as it is.' }),
  }),
});

export const UploadType = builder.objectRef<UploadForm>('Upload').implement({
  description:
    'A form for one file, good for one use within 15 minutes: sent as multipart/form-data, its fields first, then the file as `file`.',
  fields: (t) => ({
    mediaId: t.exposeID('mediaId', { description: 'Id that the file has from now on.' }),
    uploadUrl: t.exposeString('uploadUrl', { description: 'Where to send the form.' }),
    fields: t.expose('fields', { type: [UploadField], description: 'What to send before the file.' }),
    expiresAt: t.expose('expiresAt', { type: 'Timestamp', description: 'Until when it is taken.' }),
  }),
});
