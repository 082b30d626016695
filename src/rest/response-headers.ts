/** REST response headers: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), `Link` to the next page, `Location` and ignored fields. */
import { type Deprecation, deprecations } from '../graphql/schema/deprecations.ts';
import type { RestRoute } from './route.ts';

const secondsOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / 1000;

/** Headers for the deprecated schema coordinates `uses`; of several dates the earliest. */
export function buildDeprecationHeaders(
  uses: readonly string[],
  table: Readonly<Record<string, Deprecation>> = deprecations,
): Record<string, string> {
  const entries = uses.flatMap((coordinate) => table[coordinate] ?? []);
  const [since] = entries.map((entry) => entry.since).sort();
  const [sunset] = entries.flatMap((entry) => entry.sunset ?? []).sort();
  return {
    ...(since === undefined ? {} : { deprecation: `@${secondsOf(since)}` }),
    ...(sunset === undefined ? {} : { sunset: new Date(secondsOf(sunset) * 1000).toUTCString() }),
  };
}

const maxIgnoredLength = 1000;

/** Value of `X-Ignored-Fields`: paths of the first ignored fields, percent-encoded, separated by commas. */
export function formatIgnoredFieldsHeader(fields: readonly string[]): string {
  let list = '';
  for (const field of fields) {
    const next = `${list}${list === '' ? '' : ', '}${encodeURIComponent(field.toWellFormed())}`;
    if (next.length <= maxIgnoredLength) list = next;
  }
  return list;
}

/** Finds the path of a created record; undefined if the record has no path of its own. */
export function createLocationLookup(routes: readonly RestRoute[]) {
  const isParameter = (segment: string) => /^:\w+$/.test(segment);
  const recordPathOf = ({ path }: RestRoute) =>
    routes.find(
      (other) =>
        other.method === 'GET' &&
        other.path.startsWith(`${path}/`) &&
        isParameter(other.path.slice(path.length + 1)),
    )?.path;
  const templates = new Map(
    routes
      .filter(({ creates }) => creates)
      .map((route) => [route, route.creates?.location ?? recordPathOf(route)]),
  );
  return (route: RestRoute, values: Readonly<Record<string, unknown>>): string | undefined =>
    templates.get(route)?.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));
}
