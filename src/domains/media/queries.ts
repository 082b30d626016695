/** Queries of media: for those who edit products or content. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { listCost, pageArgs } from '../../graphql/connection.ts';
import { inBusiness, onRecord } from '../../graphql/scopes.ts';
import { mediaAddressCheck, mediaListCheck } from './checks.ts';
import { findMedia, listMedia, mediaReaders } from './files.ts';
import { MediaFileConnection, MediaFileType, MediaStateEnum } from './types.ts';

builder.queryFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  return {
    mediaFile: t.field({
      type: MediaFileType,
      nullable: true,
      description: 'One uploaded file, with its smaller images. Needs PRODUCTS_WRITE or CONTENT_WRITE.',
      authScopes: onRecord(mediaReaders, 'Media file'),
      args: { businessId, id: t.arg.id({ required: true, description: 'Id of the file.' }) },
      ...checked(mediaAddressCheck, (args, ctx) => findMedia(ctx, args)),
    }),
    mediaFiles: t.field({
      type: MediaFileConnection,
      description: 'The uploaded files of a business, newest first. Needs PRODUCTS_WRITE or CONTENT_WRITE.',
      authScopes: inBusiness(mediaReaders),
      complexity: listCost,
      args: {
        businessId,
        state: t.arg({
          type: MediaStateEnum,
          description: 'Only those in this state. Default: everything that was uploaded.',
        }),
        ...pageArgs,
      },
      ...checked(mediaListCheck, (args, ctx) => listMedia(ctx, args)),
    }),
  };
});
