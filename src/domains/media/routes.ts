/** REST routes below `/v1/businesses/{businessId}/media`. */
import * as operations from '../../generated/operations.ts';
import { deleteRoute, getRoute, listRoute, postRoute, putRoute } from '../../rest/route.ts';

const media = '/v1/businesses/:businessId/media';
const file = `${media}/:id` as const;

export const routes = [
  postRoute(media, operations.CreateUploadDocument, { response: 'createUpload' }),
  listRoute(media, operations.ListMediaFilesDocument, { query: ['state'], response: 'mediaFiles' }),
  getRoute(file, operations.GetMediaFileDocument, { response: 'mediaFile', recordName: 'Media file' }),
  putRoute(file, operations.UpdateMediaFileDocument, { response: 'updateMediaFile.mediaFile' }),
  deleteRoute(file, operations.DeleteMediaFileDocument, { response: 'deleteMediaFile' }),
];
