/** Where files of imports come in and files of exports are fetched, both by addresses that are signed for a while. */
import { Readable } from 'node:stream';
import type { Services } from '../../context.ts';
import { findExportFile } from '../../domains/bulk/files/export-file.ts';
import { maxImportFileBytes, receiveImportFile } from '../../domains/bulk/files/receive-upload.ts';
import { bulkResultsPath, bulkUploadsPath } from '../../domains/bulk/files/signed-links.ts';
import { notFoundError } from '../../errors.ts';
import type { Endpoint } from '../endpoint.ts';
import { multipartUploadEndpoint } from './multipart-upload.ts';

export const bulkUploadEndpoint = (services: Services): Endpoint =>
  multipartUploadEndpoint({
    path: bulkUploadsPath,
    maxBytes: maxImportFileBytes,
    parallel: 4,
    receive: (id, token, file) => receiveImportFile(services, { id, token, file }),
  });

/** An address that is wrong, or no longer right, leads nowhere. */
export const bulkResultEndpoint = (services: Services): Endpoint => ({
  path: bulkResultsPath,
  methods: ['GET'],
  async handle(request) {
    const params = new URLSearchParams(request.query);
    const found = await findExportFile(services, {
      id: request.path.slice(bulkResultsPath.length),
      expires: Number(params.get('expires')),
      userId: params.get('user') ?? '',
      keyId: params.get('key') ?? undefined,
      signature: params.get('signature') ?? '',
    });
    if (!found) throw notFoundError('File');
    const body = request.method === 'HEAD' ? Readable.from([]) : found.open();
    return {
      status: 200,
      headers: {
        'content-type': `${found.mimeType}; charset=utf-8`,
        'content-length': String(found.size),
        'content-disposition': `attachment; filename="${found.fileName}"`,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      },
      body: Readable.toWeb(body) as ReadableStream<Uint8Array>,
    };
  },
});
