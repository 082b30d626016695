/** Finds the name that a misspelt one was probably meant to be. */

/** The candidate with the fewest differing characters, at most `maxDistance`; undefined when none is that close. */
export function findClosestName(
  name: string,
  candidates: Iterable<string>,
  maxDistance: number,
): string | undefined {
  let closest: string | undefined;
  let closestDistance = maxDistance + 1;
  for (const candidate of candidates) {
    // PERF: the distance is at least the difference of the lengths, and takes their product to compute.
    if (Math.abs(name.length - candidate.length) >= closestDistance) continue;
    const distance = editDistance(name, candidate);
    if (distance < closestDistance) [closest, closestDistance] = [candidate, distance];
  }
  return closest;
}

/** ` Did you mean …?`, or nothing. */
export function formatSuggestion(name: string, candidates: Iterable<string>): string {
  const match = findClosestName(name, candidates, Math.max(2, Math.floor(name.length / 3)));
  return match === undefined ? '' : ` Did you mean ${match}?`;
}

/** Levenshtein distance: inserted, removed and replaced characters. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
