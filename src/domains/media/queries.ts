/** GraphQL queries of media files. */
import { permissionInBusinessScope, permissionOnRecordScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../graphql/schema/connection-types.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { findMediaFile, listMediaFiles, mediaReadPermissions } from './manage-media-files.ts';
import { listMediaFilesSchema, mediaFileRefSchema } from './schemas.ts';
import { MediaFileConnection, MediaFileGraphqlType, MediaStateEnum } from './types.ts';

builder.queryFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'Id of the business.' });
  return {
    mediaFile: t.field({
      type: MediaFileGraphqlType,
      nullable: true,
      description: 'A media file by id, with its resolutions. Needs PRODUCTS_WRITE or CONTENT_WRITE.',
      authScopes: permissionOnRecordScope(mediaReadPermissions, 'Media file'),
      args: fieldArgs({ businessId, id: ['ID!', 'Id of the file.'] }),
      ...validatedField(mediaFileRefSchema, findMediaFile),
    }),
    mediaFiles: t.field({
      type: MediaFileConnection,
      description: 'Media files of a business, newest first. Needs PRODUCTS_WRITE or CONTENT_WRITE.',
      authScopes: permissionInBusinessScope(mediaReadPermissions),
      complexity: estimateListCost,
      args: fieldArgs({
        businessId,
        state: [MediaStateEnum, 'Only files in this state. Default: all states except UPLOADING.'],
        ...pageArgs,
      }),
      ...validatedField(listMediaFilesSchema, listMediaFiles),
    }),
  };
});
