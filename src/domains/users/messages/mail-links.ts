/** Where the links of account mails lead. */
import { type AllowedOriginConfig, parseAllowedUrl } from '../../../lib/net/allowed-urls.ts';

/** `reserveDomain` may be a whole address or just a host. */
export function mailLinkBase(
  config: AllowedOriginConfig,
  reserveDomain: string | undefined,
): string | undefined {
  if (reserveDomain === undefined) return `${config.publicUrl}/account`;
  const candidates = /^https?:\/\//i.test(reserveDomain)
    ? [reserveDomain]
    : [`https://${reserveDomain}`, `http://${reserveDomain}`];
  for (const candidate of candidates) {
    const url = parseAllowedUrl(config, candidate);
    if (url) return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  }
  return undefined;
}

export const oneTimeTokenLink = (base: string, page: 'confirm' | 'reset-password', token: string) =>
  `${base}/${page}?token=${encodeURIComponent(token)}`;
