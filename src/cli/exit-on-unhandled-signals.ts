/** Default action of SIGTERM and SIGINT for a process with id 1, such as the program of a container: Linux gives it none. */

/** Exit codes as a shell reports them. */
const exitCodes = { SIGTERM: 143, SIGINT: 130 } as const;

/** Exits on a signal that no other listener handles: before the gateway listens, and in all other commands. */
export function exitOnUnhandledSignals(): void {
  if (process.pid !== 1) return;
  for (const [signal, code] of Object.entries(exitCodes))
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(code);
    });
}
