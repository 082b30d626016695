/** REST routes below `/v1/businesses/{businessId}/media`. */
import * as operations from '../../generated/operations.ts';
import {
  defineDeleteRoute,
  defineGetRoute,
  defineListRoute,
  definePostRoute,
  definePutRoute,
} from '../../rest/route.ts';

const media = '/v1/businesses/:businessId/media';
const file = `${media}/:id` as const;

export const routes = [
  definePostRoute(media, operations.CreateUploadDocument, { response: 'createUpload' }),
  defineListRoute(media, operations.ListMediaFilesDocument, { query: ['state'], response: 'mediaFiles' }),
  defineGetRoute(file, operations.GetMediaFileDocument, { response: 'mediaFile', recordName: 'Media file' }),
  definePutRoute(file, operations.UpdateMediaFileDocument, { response: 'updateMediaFile.mediaFile' }),
  defineDeleteRoute(file, operations.DeleteMediaFileDocument, { response: 'deleteMediaFile' }),
];
