/** Helpers that start bulk operations over REST and run them to completion in the test process. */
import { runBulkSlice } from '../../src/domains/bulk/lifecycle/run-operation.ts';
import type { Person, Shop, TestApp } from '../support/app.ts';
import { createMultipartRequest } from '../support/multipart-request.ts';

export interface Operation {
  id: string;
  state: string;
  done: number;
  failed: number;
  total?: number;
  progress: number;
  reason?: string;
  upload?: { uploadUrl: string; fields: { name: string; value: string }[]; expiresAt: number };
  resultUrl?: string;
}

export const bulkPath = (shop: Shop) => `/v1/businesses/${shop.businessId}/bulk-operations`;

export async function startBulk(
  t: TestApp,
  shop: Shop,
  kind: 'imports' | 'exports',
  body: object,
  as: Person = shop.admin,
): Promise<Operation> {
  const answer = await t.rest<Operation>('POST', `${bulkPath(shop)}/${kind}`, { as, body });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

export async function readBulk(t: TestApp, shop: Shop, id: string): Promise<Operation> {
  return (await t.rest<Operation>('GET', `${bulkPath(shop)}/${id}`, { as: shop.admin })).body;
}

/** Runs the operation to its end, as its jobs would. */
export async function finishBulk(t: TestApp, shop: Shop, id: string): Promise<Operation> {
  while (await runBulkSlice(t.app.services, id));
  return readBulk(t, shop, id);
}

/** Starts an operation and runs it to its end. */
export async function runBulk(t: TestApp, shop: Shop, kind: 'imports' | 'exports', body: object) {
  const { id } = await startBulk(t, shop, kind, body);
  return finishBulk(t, shop, id);
}

export async function exportContent(t: TestApp, shop: Shop, body: object): Promise<string> {
  const { resultUrl = '' } = await runBulk(t, shop, 'exports', body);
  const answer = await t.app.fetch(new Request(resultUrl));
  return answer.text();
}

export const jsonl = (...records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

export async function lineErrorsOf(t: TestApp, shop: Shop, id: string) {
  const { body } = await t.rest<{
    items: { line: number; code: string; details: { field: string; error: string }[] }[];
  }>('GET', `${bulkPath(shop)}/${id}/errors?limit=100`, { as: shop.admin });
  return body.items.map(({ line, code, details }) => [
    line,
    code,
    ...details.map(({ field, error }) => `${field} ${error}`),
  ]);
}

/** Uploads a file with the form of the operation. */
export async function uploadFile(
  t: TestApp,
  { upload }: Operation,
  file: string | Buffer,
): Promise<Response> {
  const form = new FormData();
  for (const { name, value } of upload?.fields ?? []) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(Buffer.from(file))]), 'lines.jsonl');
  return t.app.fetch(await createMultipartRequest(upload?.uploadUrl ?? '', form));
}

const price = { marketId: 'us', currency: 'USD', price: 1200 };

export const productInput = (name: string, more: object = {}) => ({
  name,
  slug: name.toLowerCase(),
  variants: [{ sku: `${name}-1`, pricing: { markets: [price] }, inventory: { quantity: 5 } }],
  ...more,
});

export async function productNames(t: TestApp, { businessId, admin }: Shop): Promise<string[]> {
  const path = `/v1/businesses/${businessId}/products?limit=100`;
  const { body } = await t.rest<{ items: { name: string }[] }>('GET', path, { as: admin });
  return body.items.map(({ name }) => name).sort();
}

export async function newCollection(t: TestApp, { businessId, admin }: Shop, body: object): Promise<string> {
  const path = `/v1/businesses/${businessId}/collections`;
  return (await t.rest<{ id: string }>('POST', path, { as: admin, body })).body.id;
}
