/** Endpoints for bulk files: upload of import files and download of export files, both by signed URLs that expire. */
import { Readable } from 'node:stream';
import type { Services } from '../../context.ts';
import { findExportFile } from '../../domains/bulk/files/find-export-file.ts';
import { maxImportFileBytes, receiveImportFile } from '../../domains/bulk/files/receive-import-file.ts';
import { bulkResultsPathPrefix, bulkUploadsPathPrefix } from '../../domains/bulk/files/signed-links.ts';
import { notFoundError } from '../../errors.ts';
import type { Endpoint } from '../endpoint-route.ts';
import { createMultipartUploadEndpoint } from './multipart-upload.ts';

export const createBulkUploadEndpoint = (services: Services): Endpoint =>
  createMultipartUploadEndpoint({
    path: bulkUploadsPathPrefix,
    maxBytes: maxImportFileBytes,
    parallel: 4,
    receive: (id, token, file, inSlot) => receiveImportFile(services, { id, token, file }, inSlot),
  });

/** An invalid or expired URL is answered with 404. */
export const createBulkResultEndpoint = (services: Services): Endpoint => ({
  path: bulkResultsPathPrefix,
  methods: ['GET'],
  async handle(request) {
    const params = new URLSearchParams(request.query);
    const exportFile = await findExportFile(services, {
      id: request.path.slice(bulkResultsPathPrefix.length),
      expires: Number(params.get('expires')),
      userId: params.get('user') ?? '',
      keyId: params.get('key') ?? undefined,
      signature: params.get('signature') ?? '',
    });
    if (!exportFile) throw notFoundError('File');
    const body = request.method === 'HEAD' ? Readable.from([]) : exportFile.open();
    return {
      status: 200,
      headers: {
        'content-type': `${exportFile.mimeType}; charset=utf-8`,
        'content-length': String(exportFile.size),
        'content-disposition': `attachment; filename="${exportFile.fileName}"`,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      },
      body: Readable.toWeb(body) as ReadableStream<Uint8Array>,
    };
  },
});
