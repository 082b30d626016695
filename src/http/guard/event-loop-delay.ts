/** Event loop delay of this process, measured by a timer. */

const sampleIntervalMs = 50;

let expectedAt: number | undefined;
let delayMs = 0;

/** In milliseconds, averaged with the samples before, so that one long tick does not count as overload. */
export function getEventLoopDelayMs(): number {
  if (expectedAt === undefined) sample();
  return delayMs;
}

function sample(): void {
  const time = performance.now();
  if (expectedAt !== undefined) delayMs = (delayMs + Math.max(0, time - expectedAt)) / 2;
  expectedAt = time + sampleIntervalMs;
  setTimeout(sample, sampleIntervalMs).unref();
}
