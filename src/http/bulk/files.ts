/** Where files of imports come in and files of exports are fetched, both by addresses that are signed for a while. */
import { Readable } from 'node:stream';
import type { Services } from '../../context.ts';
import { resultsPath, uploadsPath } from '../../domains/bulk/links.ts';
import { maxFileBytes, receiveBulkFile } from '../../domains/bulk/receive.ts';
import { findResult } from '../../domains/bulk/result.ts';
import { notFound } from '../../errors.ts';
import type { Endpoint } from '../endpoint.ts';
import { formEndpoint } from '../media/upload.ts';

export const bulkUploadEndpoint = (services: Services): Endpoint =>
  formEndpoint({
    path: uploadsPath,
    maxBytes: maxFileBytes,
    parallel: 4,
    receive: (id, token, file) => receiveBulkFile(services, { id, token, file }),
  });

/** An address that is wrong, or no longer right, leads nowhere. */
export const bulkResultEndpoint = (services: Services): Endpoint => ({
  path: resultsPath,
  methods: ['GET'],
  async handle(request) {
    const params = new URLSearchParams(request.query);
    const found = await findResult(services, {
      id: request.path.slice(resultsPath.length),
      expires: Number(params.get('expires')),
      userId: params.get('user') ?? '',
      keyId: params.get('key') ?? undefined,
      signature: params.get('signature') ?? '',
    });
    if (!found) throw notFound('File');
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
