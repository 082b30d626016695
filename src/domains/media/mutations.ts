/** Mutations of media: for those who edit products or content. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { payloadOf } from '../../graphql/payload.ts';
import { inBusiness, onRecord } from '../../graphql/scopes.ts';
import { DeletedPayload } from '../shared/types.ts';
import { createUploadCheck, mediaAddressCheck, updateMediaCheck } from './checks.ts';
import { createUpload } from './create-upload.ts';
import { deleteMedia, updateMedia } from './files.ts';
import { CreateUploadInput, UpdateMediaFileInput } from './inputs.ts';
import { editors } from './rules.ts';
import { MediaFileType, UploadType } from './types.ts';

const MediaFilePayload = payloadOf('MediaFilePayload', 'mediaFile', MediaFileType);
const onFile = onRecord(editors, 'Media file');

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const id = t.arg.id({ required: true, description: 'Id of the file.' });
  const version = t.arg.int({
    description: 'Fail with PRECONDITION_FAILED unless this is the current version.',
  });
  return {
    createUpload: t.field({
      type: UploadType,
      description: 'Makes the form to upload one file with. Needs PRODUCTS_WRITE or CONTENT_WRITE.',
      authScopes: inBusiness(editors),
      args: {
        businessId,
        input: t.arg({ type: CreateUploadInput, required: true, description: 'The file.' }),
      },
      ...checked(
        (ctx) => createUploadCheck(ctx.config.media.maxBytes),
        (args, ctx) => createUpload(ctx, args),
      ),
    }),
    updateMediaFile: t.field({
      type: MediaFilePayload,
      description: 'Changes what is said of a file. Needs PRODUCTS_WRITE or CONTENT_WRITE.',
      authScopes: onFile,
      args: {
        businessId,
        id,
        version,
        input: t.arg({ type: UpdateMediaFileInput, required: true, description: 'The changes.' }),
      },
      ...checked(updateMediaCheck, async (args, ctx) => ({ mediaFile: await updateMedia(ctx, args) })),
    }),
    deleteMediaFile: t.field({
      type: DeletedPayload,
      description: 'Deletes a file and the images made of it. Needs PRODUCTS_WRITE or CONTENT_WRITE.',
      authScopes: onFile,
      args: { businessId, id, version },
      ...checked(mediaAddressCheck, (args, ctx) => deleteMedia(ctx, args)),
    }),
  };
});
