/** Which addresses may be named in links and redirects: those on the allowed origins and on the gateway itself. */

export interface AllowedOriginConfig {
  allowedOrigins: readonly string[];
  publicUrl: string;
}

/** The address when it is http(s), carries no credentials and lies on an allowed origin. */
export function parseAllowedUrl(config: AllowedOriginConfig, value: string): URL | undefined {
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
