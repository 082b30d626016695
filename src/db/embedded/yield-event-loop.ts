/**
 * Yields to the event loop between statements of the embedded database. Its statements wait for no I/O, so that a sequence of them would
 * block timers, sockets and all other requests.
 */
const maxBusyMs = 20;

let tickStart: number | undefined;

/** Returns a promise for the next tick if statements have run for 20 ms in this one; undefined: continue. */
export function yieldIfBusy(): Promise<void> | undefined {
  if (tickStart === undefined) {
    tickStart = performance.now();
    setImmediate(() => {
      tickStart = undefined;
    });
    return undefined;
  }
  return performance.now() - tickStart < maxBusyMs
    ? undefined
    : new Promise((resolve) => setImmediate(resolve));
}
