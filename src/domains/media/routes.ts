/** `/v1/businesses/{businessId}/media` */
import * as operations from '../../generated/operations.ts';
import { create, get, list, remove, update } from '../../rest/row.ts';

const media = '/v1/businesses/:businessId/media';
const file = `${media}/:id` as const;

export const routes = [
  create(media, operations.CreateUploadDocument, { answer: 'createUpload' }),
  list(media, operations.ListMediaFilesDocument, { query: ['state'], answer: 'mediaFiles' }),
  get(file, operations.GetMediaFileDocument, { answer: 'mediaFile', missing: 'Media file' }),
  update(file, operations.UpdateMediaFileDocument, { answer: 'updateMediaFile.mediaFile' }),
  remove(file, operations.DeleteMediaFileDocument, { answer: 'deleteMediaFile' }),
];
