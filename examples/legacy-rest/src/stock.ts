/** Example with plain `fetch`: reads and changes products as the demo admin. */
const url = process.env.DUET_URL ?? 'http://localhost:4000';
const users = `${url}/v1/users`;
const businessId = process.env.BUSINESS_ID ?? '01900000-0000-7000-8000-00000000000b';

export async function signIn(email: string, password: string): Promise<string> {
  const response = await fetch(`${users}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'EMAIL', email, password }),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(`${response.status} ${body.error}`);
  return body.accessToken;
}

/** Names of the cheapest products in stock. */
export async function listCheapest(token: string, limit: number): Promise<string[]> {
  const query = new URLSearchParams({ limit: String(limit), sort: 'PRICE', market: 'US', inStock: 'true' });
  const response = await fetch(`${url}/v1/businesses/${businessId}/products?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const page: { items: { name: string }[] } = await response.json();
  return page.items.map(({ name }) => name);
}

export interface ProductSummary {
  id: string;
  name: string;
  category?: string;
  version: number;
}

/** Undefined if there is no such product. */
export async function findProduct(token: string, id: string): Promise<ProductSummary | undefined> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/v1/businesses/${businessId}/products/${encodeURIComponent(id)}`, {
    headers,
  });
  if (response.status === 404) return undefined;
  return response.json() as Promise<ProductSummary>;
}

/** Renames a product, or returns the error code: PRECONDITION_FAILED if it has another version. */
export async function renameProduct(
  token: string,
  { id, version }: ProductSummary,
  name: string,
): Promise<ProductSummary | string> {
  const response = await fetch(`${url}/v1/businesses/${businessId}/products/${id}`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'if-match': `"${version}"`,
    },
    body: JSON.stringify({ name }),
  });
  const body = await response.json();
  return response.ok ? body : body.error;
}
