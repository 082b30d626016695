/** Purges surrogate keys of Varnish (xkey), Fastly and Cloudflare over HTTP. */
import type { EdgeCache, EdgeCacheOptions, EdgeCacheVendor } from '../../ports/edge-cache.ts';

interface PurgeForm {
  /** Maximum number of keys per request. */
  batchSize: number;
  toRequest(keys: readonly string[], token: string | undefined): RequestInit;
}

const jsonPost = (headers: Record<string, string>, body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

const forms: Record<EdgeCacheVendor, PurgeForm> = {
  // Varnish accepts header lines of 8 KB; a key has up to 45 characters.
  varnish: {
    batchSize: 100,
    toRequest: (keys, token) => ({
      method: 'PURGE',
      headers: { 'xkey-purge': keys.join(' '), ...bearer(token) },
    }),
  },
  fastly: {
    batchSize: 256,
    toRequest: (keys, token) =>
      jsonPost(token === undefined ? {} : { 'fastly-key': token }, { surrogate_keys: keys }),
  },
  cloudflare: { batchSize: 30, toRequest: (keys, token) => jsonPost(bearer(token), { tags: keys }) },
};

const timeoutMs = 10_000;

export function createHttpEdgeCache({ form, urls, token }: EdgeCacheOptions): EdgeCache {
  const { batchSize, toRequest } = forms[form];

  async function send(url: string, keys: readonly string[]): Promise<void> {
    const response = await fetch(url, {
      ...toRequest(keys, token),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    // The message omits the URL, which may contain an account.
    if (!response.ok) throw new Error(`Edge cache: the purge was answered with status ${response.status}.`);
  }

  return {
    async purge(keys) {
      for (let start = 0; start < keys.length; start += batchSize) {
        const batch = keys.slice(start, start + batchSize);
        await Promise.all(urls.map((url) => send(url, batch)));
      }
    },
  };
}
