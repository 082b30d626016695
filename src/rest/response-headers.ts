/** Tells callers of REST what of their request is on its way out: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). */
import { type Deprecation, deprecations } from '../graphql/schema/deprecations.ts';
import type { HttpRequest } from '../http-message.ts';

const secondsOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / 1000;

/** Of several the earliest days. `uses` are coordinates of the schema. */
export function deprecationHeaders(
  uses: readonly string[],
  table: Readonly<Record<string, Deprecation>> = deprecations,
): Record<string, string> {
  const known = uses.flatMap((coordinate) => table[coordinate] ?? []);
  const [since] = known.map((one) => one.since).sort();
  const [sunset] = known.flatMap((one) => one.sunset ?? []).sort();
  return {
    ...(since === undefined ? {} : { deprecation: `@${secondsOf(since)}` }),
    ...(sunset === undefined ? {} : { sunset: new Date(secondsOf(sunset) * 1000).toUTCString() }),
  };
}

/** `Link: <…>; rel="next"`: the address of the next page of a list, with everything else as it was asked. */

export function nextLink({ path, query }: HttpRequest, cursor: string): string {
  const kept = query === '' ? [] : query.split('&').filter((part) => part !== '' && !/^cursor=/.test(part));
  const address = `${path}?${[...kept, `cursor=${encodeURIComponent(cursor)}`].join('&')}`;
  // An address that was sent unencoded must not close the brackets.
  return `<${address.replace(/[<>"\s]/g, encodeURIComponent)}>; rel="next"`;
}
