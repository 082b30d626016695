/** How far the event loop of this process is behind: a timer is as late as everything else. */

const everyMs = 50;

let expected: number | undefined;
let late = 0;

/** In milliseconds, smoothed a little, so that one long turn is not yet an overload. */
export function lateness(): number {
  if (expected === undefined) look();
  return late;
}

function look(): void {
  const time = performance.now();
  if (expected !== undefined) late = (late + Math.max(0, time - expected)) / 2;
  expected = time + everyMs;
  setTimeout(look, everyMs).unref();
}
