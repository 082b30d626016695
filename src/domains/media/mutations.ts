/** GraphQL mutations of media files. */
import { permissionInBusinessScope, permissionOnRecordScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { inputArg } from '../../graphql/schema/field-tables.ts';
import { asPayload, createPayloadType } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { DeletedPayload } from '../shared/media-and-status-graphql-types.ts';
import { CreateUploadInput, UpdateMediaFileInput } from './inputs.ts';
import { deleteMediaFile, updateMediaFile } from './manage-media-files.ts';
import { buildCreateUploadSchema, mediaFileRefSchema, updateMediaFileSchema } from './schemas.ts';
import { mediaEditPermissions } from './supported-media-types.ts';
import { MediaFileGraphqlType, UploadGraphqlType } from './types.ts';
import { createMediaUpload } from './uploads/create-upload.ts';

const MediaFilePayload = createPayloadType('MediaFilePayload', 'mediaFile', MediaFileGraphqlType);
const onMediaFile = permissionOnRecordScope(mediaEditPermissions, 'Media file');

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'Id of the business.' });
  const id = t.arg.id({ required: true, description: 'Id of the file.' });
  const version = t.arg.int({
    description: 'Fail with PRECONDITION_FAILED unless this is the current version.',
  });
  return {
    createUpload: t.field({
      type: UploadGraphqlType,
      description: 'Creates a signed form to upload one file. Needs PRODUCTS_WRITE or CONTENT_WRITE.',
      authScopes: permissionInBusinessScope(mediaEditPermissions),
      args: { businessId, ...inputArg(CreateUploadInput, 'The file.') },
      ...validatedField(
        (ctx) => buildCreateUploadSchema(ctx.config.media.maxBytes),
        (ctx, args) => createMediaUpload(ctx, args),
      ),
    }),
    updateMediaFile: t.field({
      type: MediaFilePayload,
      description: 'Updates the alternative text of a file. Needs PRODUCTS_WRITE or CONTENT_WRITE.',
      authScopes: onMediaFile,
      args: { businessId, id, version, ...inputArg(UpdateMediaFileInput, 'The changes.') },
      ...validatedField(updateMediaFileSchema, asPayload('mediaFile', updateMediaFile)),
    }),
    deleteMediaFile: t.field({
      type: DeletedPayload,
      description:
        'Deletes a file and its resolutions. Fails with MEDIA_IN_USE while a record references it. Needs PRODUCTS_WRITE or CONTENT_WRITE.',
      authScopes: onMediaFile,
      args: { businessId, id, version },
      ...validatedField(mediaFileRefSchema, deleteMediaFile),
    }),
  };
});
