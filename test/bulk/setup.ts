/** Imports and exports as callers ask for them, done at once. */
import { runBulkSlice } from '../../src/domains/bulk/lifecycle/run-operation.ts';
import type { Person, Shop, TestApp } from '../support/app.ts';
import { formRequest } from '../support/form.ts';

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

export async function begin(
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

export async function look(t: TestApp, shop: Shop, id: string): Promise<Operation> {
  return (await t.rest<Operation>('GET', `${bulkPath(shop)}/${id}`, { as: shop.admin })).body;
}

/** Runs it to its end, as its jobs would. */
export async function finished(t: TestApp, shop: Shop, id: string): Promise<Operation> {
  while (await runBulkSlice(t.app.services, id));
  return look(t, shop, id);
}

/** Begins it, and runs it to its end. */
export async function done(t: TestApp, shop: Shop, kind: 'imports' | 'exports', body: object) {
  const { id } = await begin(t, shop, kind, body);
  return finished(t, shop, id);
}

export async function exported(t: TestApp, shop: Shop, body: object): Promise<string> {
  const { resultUrl = '' } = await done(t, shop, 'exports', body);
  const answer = await t.app.fetch(new Request(resultUrl));
  return answer.text();
}

export const jsonl = (...records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

export async function errorsOf(t: TestApp, shop: Shop, id: string) {
  const { body } = await t.rest<{
    items: { line: number; code: string; details: { field: string; error: string }[] }[];
  }>('GET', `${bulkPath(shop)}/${id}/errors?limit=100`, { as: shop.admin });
  return body.items.map(({ line, code, details }) => [
    line,
    code,
    ...details.map(({ field, error }) => `${field} ${error}`),
  ]);
}

/** Sends the file with the form of the operation. */
export async function send(t: TestApp, { upload }: Operation, file: string | Buffer): Promise<Response> {
  const form = new FormData();
  for (const { name, value } of upload?.fields ?? []) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(Buffer.from(file))]), 'lines.jsonl');
  return t.app.fetch(await formRequest(upload?.uploadUrl ?? '', form));
}

const price = { marketId: 'us', currency: 'USD', price: 1200 };

export const cup = (name: string, more: object = {}) => ({
  name,
  slug: name.toLowerCase(),
  variants: [{ sku: `${name}-1`, pricing: { markets: [price] }, inventory: { quantity: 5 } }],
  ...more,
});

export async function namesOf(t: TestApp, { businessId, admin }: Shop): Promise<string[]> {
  const path = `/v1/businesses/${businessId}/products?limit=100`;
  const { body } = await t.rest<{ items: { name: string }[] }>('GET', path, { as: admin });
  return body.items.map(({ name }) => name).sort();
}

export async function newCollection(t: TestApp, { businessId, admin }: Shop, body: object): Promise<string> {
  const path = `/v1/businesses/${businessId}/collections`;
  return (await t.rest<{ id: string }>('POST', path, { as: admin, body })).body.id;
}
