/** Event loop delay of this process, measured by a timer, and the start time of the current tick. */

const sampleIntervalMs = 50;

let expectedAt: number | undefined;
let delayMs = 0;

/** In milliseconds, averaged with the samples before, so that one long tick does not count as overload. */
export function eventLoopDelayMs(): number {
  if (expectedAt === undefined) sample();
  return delayMs;
}

function sample(): void {
  const time = performance.now();
  if (expectedAt !== undefined) delayMs = (delayMs + Math.max(0, time - expectedAt)) / 2;
  expectedAt = time + sampleIntervalMs;
  setTimeout(sample, sampleIntervalMs).unref();
}

let tickStartedAt: number | undefined;
let [isScheduled, isUsed] = [false, false];

/**
 * Earliest arrival time of the requests read in this tick, by `performance.now()`: they wait unread in the socket while the tick before runs.
 * Tracked only while it is called in every tick; an idle process schedules no immediates.
 */
export function eventLoopTickStart(): number {
  isUsed = true;
  if (!isScheduled) scheduleTickStart();
  return tickStartedAt ?? performance.now();
}

function scheduleTickStart(): void {
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    tickStartedAt = isUsed ? performance.now() : undefined;
    if (isUsed) scheduleTickStart();
    isUsed = false;
  });
}
