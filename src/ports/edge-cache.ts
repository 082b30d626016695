/** Port of the shared cache in front of the gateway: a CDN or Varnish. */

/** Product whose purge requests and tag header are used. */
export type EdgeCacheVendor = 'varnish' | 'fastly' | 'cloudflare';

export interface EdgeCacheOptions {
  form: EdgeCacheVendor;
  /** Varnish: one URL per server; Fastly: `…/service/<id>/purge`; Cloudflare: `…/zones/<id>/purge_cache`. */
  urls: readonly string[];
  token: string | undefined;
}

/** Response header with the surrogate keys, and its separator. */
export const surrogateKeyHeaders: Readonly<Record<EdgeCacheVendor, { name: string; separator: string }>> = {
  varnish: { name: 'xkey', separator: ' ' },
  fastly: { name: 'surrogate-key', separator: ' ' },
  cloudflare: { name: 'cache-tag', separator: ',' },
};

export interface EdgeCache {
  /** Removes all stored responses with any of these surrogate keys. Rejects unless every cache has confirmed it. */
  purge(keys: readonly string[]): Promise<void>;
}
