/** REST routes below `/v1/businesses/{businessId}/media`. */
import * as operations from '../../generated/operations.ts';
import {
  defineDeleteRoute,
  defineGetRoute,
  defineListRoute,
  definePostRoute,
  defineUpdateRoutes,
} from '../../rest/route.ts';

const media = '/v1/businesses/:businessId/media';
const file = `${media}/:id` as const;

export const routes = [
  definePostRoute(media, operations.CreateUploadDocument, {
    creates: { location: `${media}/:mediaId` },
  }),
  defineListRoute(media, operations.ListMediaFilesDocument, { query: ['state'] }),
  defineGetRoute(file, operations.GetMediaFileDocument, { recordName: 'Media file' }),
  ...defineUpdateRoutes(file, operations.UpdateMediaFileDocument),
  defineDeleteRoute(file, operations.DeleteMediaFileDocument),
];
