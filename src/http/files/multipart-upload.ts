/** Multipart uploads: parses the form while it arrives and streams the file to its receiver. */
import { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { Services } from '../../context.ts';
import { mediaUploadsPathPrefix } from '../../domains/media/model.ts';
import { receiveMediaUpload } from '../../domains/media/uploads/receive-upload.ts';
import { AppError } from '../../errors.ts';
import { type HttpRequest, jsonResponse } from '../../http-message.ts';
import { type BoundedWorkQueue, createBoundedWorkQueue } from '../../lib/async/bounded-work-queue.ts';
import type { Endpoint } from '../endpoint-route.ts';

/** Bytes allowed for the form fields and boundaries in addition to the file. */
const formBytes = 16 * 1024;
const limits = { fields: 10, fieldSize: 1024, files: 1, parts: 12, headerPairs: 20, headerSize: 4096 };

interface UploadOptions {
  /** Path prefix; the id of the upload follows it. */
  path: string;
  maxBytes: number;
  /** Maximum number of uploads at once, half of them of one payer; four times as many may wait. Uploads are exempt from the concurrency gate. */
  parallel: number;
  /** Verifies the token first, and runs the transfer in a slot, so that callers without a form occupy none. */
  receive(id: string, token: string, file: Readable, inSlot: BoundedWorkQueue): Promise<object>;
}

export const createMediaUploadEndpoint = (services: Services): Endpoint =>
  createMultipartUploadEndpoint({
    path: mediaUploadsPathPrefix,
    maxBytes: services.config.media.maxBytes,
    parallel: 8,
    receive: (id, token, file, inSlot) => receiveMediaUpload(services, { id, token, file }, inSlot),
  });

export function createMultipartUploadEndpoint({
  path,
  maxBytes,
  parallel,
  receive,
}: UploadOptions): Endpoint {
  const inSlot = createBoundedWorkQueue({
    maxRunning: parallel,
    maxRunningPerPayer: parallel / 2,
    maxWaiting: 4 * parallel,
    label: 'uploads',
  });
  return {
    path,
    methods: ['POST'],
    async handle(request) {
      const id = request.path.slice(path.length);
      const received = await readForm(request, maxBytes, (token, file) => receive(id, token, file, inSlot));
      return jsonResponse(201, received, { 'cache-control': 'no-store' });
    },
  };
}

const incompleteFormError = () => new AppError('BAD_REQUEST', 'The body is not a complete multipart form.');
const missingFileError = () => new AppError('BAD_REQUEST', 'The form has no file in the field `file`.');

/** Passes the file stream and the `token` field, which must precede it, to `receive`. The rest of the body is discarded. */
async function readForm<T>(
  request: HttpRequest,
  maxBytes: number,
  receive: (token: string, file: Readable) => Promise<T>,
): Promise<T> {
  const form = formOf(request);
  const body = Readable.from(request.stream(maxBytes + formBytes));
  try {
    return await new Promise<T>((resolve, reject) => {
      let token = '';
      let fileStream: BusboyFileStream | undefined;
      const fail = (error: Error) => {
        reject(error);
        fileStream?.destroy(error);
      };
      form.on('field', (name: string, value: string) => {
        if (name === 'token') token = value;
      });
      form.on('file', (name: string, file: BusboyFileStream) => {
        file.on('error', () => {});
        if (name !== 'file') return void file.resume();
        fileStream = file;
        receive(token, file).then(resolve, reject);
      });
      form.on('finish', () => fileStream ?? reject(missingFileError()));
      form.on('error', () => fail(incompleteFormError()));
      body.on('error', fail);
      body.pipe(form);
    });
  } finally {
    body.unpipe(form);
    body.destroy();
    form.destroy();
  }
}

function formOf(request: HttpRequest): BusboyInstance {
  const type = request.header('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw new AppError('BAD_REQUEST', 'Send the form as Content-Type: multipart/form-data.');
  try {
    return new Busboy({ headers: { 'content-type': type }, limits });
  } catch {
    throw incompleteFormError();
  }
}
