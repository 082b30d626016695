/** Start time of the current tick of the event loop: the arrival time of the requests that are read in it. */

let tickStartedAt: number | undefined;
let [isScheduled, isUsed] = [false, false];

/**
 * Earliest arrival time of the requests read in this tick, by `performance.now()`: they wait unread in the socket while the tick before runs.
 * Tracked only while it is called in every tick; an idle process schedules no immediates.
 */
export function getEventLoopTickStart(): number {
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
