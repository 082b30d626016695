/** Helpers for media tests: test images, upload forms and multipart requests. */
import sharp from 'sharp';
import type { Person, RestResponse, Shop, TestApp } from '../support/app.ts';
import { createMultipartRequest } from '../support/multipart-request.ts';

export interface Form {
  mediaId: string;
  uploadUrl: string;
  fields: { name: string; value: string }[];
  expiresAt: number;
}

export interface UploadInput {
  fileName: string;
  contentType: string;
  size: number;
  alt?: string;
}

export const picture = (
  width: number,
  height: number,
  format: 'png' | 'jpeg' | 'webp' | 'avif' | 'gif' = 'png',
) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .toFormat(format)
    .toBuffer();

export const requestUpload = (t: TestApp, shop: Shop, body: UploadInput, as: Person = shop.admin) =>
  t.rest<Form>('POST', `/v1/businesses/${shop.businessId}/media`, { as, body });

export async function createUploadForm(t: TestApp, shop: Shop, body: UploadInput): Promise<Form> {
  const answer = await requestUpload(t, shop, body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

/** Sends the form as a browser does: fields first, then the file. */
export async function sendFile(
  t: TestApp,
  form: Form,
  file: Uint8Array,
): Promise<RestResponse<Record<string, never>>> {
  const body = new FormData();
  for (const { name, value } of form.fields) body.append(name, value);
  body.append('file', new Blob([new Uint8Array(file)]), '../../etc/passwd');
  const response = await t.app.fetch(await createMultipartRequest(form.uploadUrl, body));
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, never>,
  };
}

/** Creates an upload form for the file and sends it. */
export async function upload(t: TestApp, shop: Shop, file: Uint8Array, about: Partial<UploadInput> = {}) {
  const announced = { fileName: 'Cup No. 1.png', contentType: 'image/png', size: file.length, ...about };
  return sendFile(t, await createUploadForm(t, shop, announced), file);
}
