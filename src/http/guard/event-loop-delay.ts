/** How far the event loop of this process is behind: a timer is as late as everything else. And since when what it hands out has waited. */

const everyMs = 50;

let expected: number | undefined;
let late = 0;

/** In milliseconds, smoothed a little, so that one long turn is not yet an overload. */
export function eventLoopDelayMs(): number {
  if (expected === undefined) look();
  return late;
}

function look(): void {
  const time = performance.now();
  if (expected !== undefined) late = (late + Math.max(0, time - expected)) / 2;
  expected = time + everyMs;
  setTimeout(look, everyMs).unref();
}

let began: number | undefined;
let [isWatched, isAsked] = [false, false];

/**
 * When the requests of this turn can have come at the earliest, by `performance.now()`: they wait unread while the turn before goes on.
 * Known for as long as it is asked in every turn; there is no idle turn then that would be kept busy.
 */
export function eventLoopTickStart(): number {
  isAsked = true;
  if (!isWatched) watch();
  return began ?? performance.now();
}

function watch(): void {
  isWatched = true;
  setImmediate(() => {
    isWatched = false;
    began = isAsked ? performance.now() : undefined;
    if (isAsked) watch();
    isAsked = false;
  });
}
