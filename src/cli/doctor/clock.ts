/** Tokens, quotes and limits end by the clock: machines that share them must agree on it. */
import { type Finding, fine, wrong } from './finding.ts';

const agreeWithinSeconds = 2;

export function aboutClock(whose: string, seconds: number): Finding {
  const apart = Math.abs(Date.now() / 1000 - seconds);
  if (apart <= agreeWithinSeconds) return fine('clock', `agrees with the one of ${whose}`);
  return wrong(
    'clock',
    `${apart.toFixed(1)} s apart from the one of ${whose}. Set both by the network (chrony, systemd-timesyncd).`,
  );
}
