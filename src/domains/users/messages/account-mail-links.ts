/** URLs of the links in account mails. */
import {
  type AllowedOriginConfig,
  parseUrlOnAllowedOrigin,
} from '../../../lib/net/parse-url-on-allowed-origin.ts';

/** Base URL of the links: `reserveDomain`, a URL or a host name, if it is on the allow list (otherwise undefined); the gateway's pages by default. */
export function resolveMailLinkBaseUrl(
  config: AllowedOriginConfig,
  reserveDomain: string | undefined,
): string | undefined {
  if (reserveDomain === undefined) return `${config.publicUrl}/account`;
  const candidates = /^https?:\/\//i.test(reserveDomain)
    ? [reserveDomain]
    : [`https://${reserveDomain}`, `http://${reserveDomain}`];
  for (const candidate of candidates) {
    const url = parseUrlOnAllowedOrigin(config, candidate);
    if (url) return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  }
  return undefined;
}

export const buildOneTimeTokenLink = (
  base: string,
  page: 'confirm' | 'reset-password' | 'invitation',
  token: string,
) => `${base}/${page}?token=${encodeURIComponent(token)}`;
