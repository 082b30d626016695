/** `/v1/businesses/{businessId}/media` */
import * as operations from '../../generated/operations.ts';
import { deleteRoute, getRoute, listRoute, postRoute, putRoute } from '../../rest/route.ts';

const media = '/v1/businesses/:businessId/media';
const file = `${media}/:id` as const;

export const routes = [
  postRoute(media, operations.CreateUploadDocument, { answer: 'createUpload' }),
  listRoute(media, operations.ListMediaFilesDocument, { query: ['state'], answer: 'mediaFiles' }),
  getRoute(file, operations.GetMediaFileDocument, { answer: 'mediaFile', missing: 'Media file' }),
  putRoute(file, operations.UpdateMediaFileDocument, { answer: 'updateMediaFile.mediaFile' }),
  deleteRoute(file, operations.DeleteMediaFileDocument, { answer: 'deleteMediaFile' }),
];
