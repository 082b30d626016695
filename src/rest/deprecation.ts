/** Tells callers of REST what of their request is on its way out: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). */
import { type Deprecation, deprecations } from '../graphql/deprecations.ts';

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
