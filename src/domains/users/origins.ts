/** Where the links of account mails lead. */
import { allowedUrl, type Origins } from '../../lib/origins.ts';

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
