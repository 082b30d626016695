/**
 * Statements of the embedded database wait for nothing outside this process: whoever asks one after the other would never let the event
 * loop turn, and keep everybody else out for as long.
 */
const longestMs = 20;

let began: number | undefined;

/** Ends the turn if statements have had it for long; undefined: go on. */
export function yieldIfBusy(): Promise<void> | undefined {
  if (began === undefined) {
    began = performance.now();
    setImmediate(() => {
      began = undefined;
    });
    return undefined;
  }
  return performance.now() - began < longestMs ? undefined : new Promise((resolve) => setImmediate(resolve));
}
