/** Which addresses may be named in links and redirects: the allowed origins and the gateway itself. */
import type { Config } from '../../config.ts';

type Origins = Pick<Config, 'allowedOrigins' | 'publicUrl'>;

/** The address when it is http(s), carries no credentials and lies on an allowed origin. */
export function allowedUrl(config: Origins, value: string): URL | undefined {
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    return undefined;
  }
  const isPlain = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isPlain && isAllowed(config, url.origin) ? url : undefined;
}

const isAllowed = ({ allowedOrigins, publicUrl }: Origins, origin: string) =>
  allowedOrigins.includes(origin) || origin === new URL(publicUrl).origin;

/** `reserveDomain` may be a whole address or just a host. */
export function linkBase(config: Origins, reserveDomain: string | undefined): string | undefined {
  if (reserveDomain === undefined) return `${config.publicUrl}/account`;
  const candidates = /^https?:\/\//i.test(reserveDomain)
    ? [reserveDomain]
    : [`https://${reserveDomain}`, `http://${reserveDomain}`];
  for (const candidate of candidates) {
    const url = allowedUrl(config, candidate);
    if (url) return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  }
  return undefined;
}

export const tokenLink = (base: string, page: 'confirm' | 'reset-password', token: string) =>
  `${base}/${page}?token=${encodeURIComponent(token)}`;
