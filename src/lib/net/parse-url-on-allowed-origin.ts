/** URLs that clients may use for links and redirects: those on allowed origins and on the gateway itself. */

export interface AllowedOriginConfig {
  allowedOrigins: readonly string[];
  publicUrl: string;
}

/** Returns the URL if it is http(s), without credentials and on an allowed origin; otherwise undefined. */
export function parseUrlOnAllowedOrigin(config: AllowedOriginConfig, value: string): URL | undefined {
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    return undefined;
  }
  const isPlain = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isPlain && isAllowed(config, url.origin) ? url : undefined;
}

const isAllowed = ({ allowedOrigins, publicUrl }: AllowedOriginConfig, origin: string) =>
  allowedOrigins.includes(origin) || origin === new URL(publicUrl).origin;
