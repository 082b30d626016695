/** REST response headers: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` to the next page. */
import { type Deprecation, deprecations } from '../graphql/schema/deprecations.ts';
import type { HttpRequest } from '../http-message.ts';

const secondsOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / 1000;

/** Headers for the deprecated schema coordinates `uses`; of several dates the earliest. */
export function deprecationHeaders(
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

/** Value of `Link: <…>; rel="next"`: URL of the next page, with all other query parameters unchanged. */
export function nextPageLinkHeader({ path, query }: HttpRequest, cursor: string): string {
  const others = query === '' ? [] : query.split('&').filter((part) => part !== '' && !/^cursor=/.test(part));
  const url = `${path}?${[...others, `cursor=${encodeURIComponent(cursor)}`].join('&')}`;
  // Unencoded characters of the request URL must not close the brackets.
  return `<${url.replace(/[<>"\s]/g, encodeURIComponent)}>; rel="next"`;
}
