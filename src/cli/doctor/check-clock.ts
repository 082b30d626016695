/** Tokens, quotes and limits end by the clock: machines that share them must agree on it. */
import { type DoctorFinding, errorFinding, okFinding } from './finding.ts';

const agreeWithinSeconds = 2;

export function checkClock(whose: string, seconds: number): DoctorFinding {
  const apart = Math.abs(Date.now() / 1000 - seconds);
  if (apart <= agreeWithinSeconds) return okFinding('clock', `agrees with the one of ${whose}`);
  return errorFinding(
    'clock',
    `${apart.toFixed(1)} s apart from the one of ${whose}. Set both by the network (chrony, systemd-timesyncd).`,
  );
}
