/** Checks the clock difference to a server. Tokens, quotes and rate limits expire by the clock of several machines, so they must agree. */
import { type DoctorFinding, errorFinding, okFinding } from './create-and-format-findings.ts';

const maxDifferenceSeconds = 2;

export function checkClock(serverName: string, seconds: number): DoctorFinding {
  const difference = Math.abs(Date.now() / 1000 - seconds);
  if (difference <= maxDifferenceSeconds) return okFinding('clock', `agrees with the clock of ${serverName}`);
  return errorFinding(
    'clock',
    `differs by ${difference.toFixed(1)} s from the clock of ${serverName}. Synchronise both by NTP (chrony, systemd-timesyncd).`,
  );
}
