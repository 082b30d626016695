/** Reads the collections of a business from a gateway by REST, all pages. Has no imports, because the plugin for GraphQL Code Generator contains it. */

export interface ContentBlock {
  id: string;
  type: string;
  label?: string;
  required?: boolean;
  settings?: { variant?: string; targetType?: string; options?: string[] };
}

export interface ContentCollection {
  slug: string;
  name: string;
  blocks: ContentBlock[];
}

export interface ContentSource {
  /** URL of the gateway. */
  url: string;
  /** Id of the business. */
  business: string;
  /** Access token or API key of a member, which also reads unpublished collections. Default: a guest. */
  token?: string | undefined;
}

interface CollectionPage {
  items: ContentCollection[];
  cursor: string | null;
}

const pageSize = 100;

export async function fetchCollections({
  url,
  business,
  token,
}: ContentSource): Promise<ContentCollection[]> {
  const base = url.replace(/\/+$/, '');
  const bearer = token ?? (await signInAsGuest(base));
  const collections: ContentCollection[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: String(pageSize), ...(cursor === null ? {} : { cursor }) });
    const page: CollectionPage = await requestJson<CollectionPage>(
      `${base}/v1/businesses/${encodeURIComponent(business)}/collections?${query}`,
      { headers: { authorization: `Bearer ${bearer}` } },
    );
    collections.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== null);
  return collections.sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

async function signInAsGuest(base: string): Promise<string> {
  const { accessToken } = await requestJson<{ accessToken: string }>(`${base}/v1/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'GUEST' }),
  });
  return accessToken;
}

/** Throws an error that names the URL and the reason, without the token. */
async function requestJson<Body>(url: string, init: RequestInit): Promise<Body> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) }).catch(
    (error: Error) => {
      const reason = error.cause instanceof Error ? error.cause.message : error.message;
      throw new Error(
        `The gateway at ${new URL(url).origin} cannot be reached (${reason}). Start it, or name its URL.`,
        { cause: error },
      );
    },
  );
  const body = (await response.json().catch(() => undefined)) as (Body & { message?: string }) | undefined;
  if (response.ok && body !== undefined) return body;
  throw new Error(`${new URL(url).pathname}: ${response.status} ${body?.message ?? 'no JSON'}`);
}
