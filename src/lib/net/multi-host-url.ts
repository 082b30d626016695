/** PostgreSQL URLs with several hosts, in the syntax of libpq. */

/** Splits a URL into one per host, and removes `target_session_attrs`, which only libpq supports. */
export function splitMultiHostUrl(url: string): string[] {
  const [, before, hosts = '', after = ''] = /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? [];
  if (before === undefined) return [url];
  const suffix = after.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_all, mark: string, next: string) =>
    next === '&' ? mark : '',
  );
  return hosts.split(',').map((host) => `${before}${host}${suffix}`);
}

/** Whether a URL, with one or several hosts, is a valid address of PostgreSQL. */
export const isDatabaseUrl = (url: string): boolean =>
  splitMultiHostUrl(url).every(
    (server) => URL.canParse(server) && /^postgres(ql)?:$/.test(new URL(server).protocol),
  );
