/** Exit guard: Node exits with code 0 when the event loop is empty, even if a promise is still pending. */

/** Node's own exit code for an unsettled top-level await. */
const unfinishedExitCode = 13;

/** Awaits the work; sets exit code 13 if the event loop runs empty before the promise settles. */
export async function failOnEarlyExit<T>(work: Promise<T>): Promise<T> {
  const reportUnfinished = () => {
    console.error('The event loop is empty, but the command is not done.');
    process.exitCode = unfinishedExitCode;
  };
  process.once('beforeExit', reportUnfinished);
  try {
    return await work;
  } finally {
    process.off('beforeExit', reportUnfinished);
  }
}
