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
    response: 'createUpload',
    creates: { location: `${media}/:mediaId` },
  }),
  defineListRoute(media, operations.ListMediaFilesDocument, { query: ['state'], response: 'mediaFiles' }),
  defineGetRoute(file, operations.GetMediaFileDocument, { response: 'mediaFile', recordName: 'Media file' }),
  ...defineUpdateRoutes(file, operations.UpdateMediaFileDocument, { response: 'updateMediaFile.mediaFile' }),
  defineDeleteRoute(file, operations.DeleteMediaFileDocument, { response: 'deleteMediaFile' }),
];
