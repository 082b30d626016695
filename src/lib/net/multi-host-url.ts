/** Addresses of several database servers in one, as libpq has them. */

/** One address for each host of an address, and without what only libpq reads. */
export function splitMultiHostUrl(url: string): string[] {
  const [, before, hosts = '', after = ''] = /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? [];
  if (before === undefined) return [url];
  const rest = after.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_all, mark: string, next: string) =>
    next === '&' ? mark : '',
  );
  return hosts.split(',').map((host) => `${before}${host}${rest}`);
}
