/** Waits for work that the process must not end without: when nothing is left to wait for, Node would end it as if all were well. */
const unfinished = 13;

export async function failOnEarlyExit<T>(work: Promise<T>): Promise<T> {
  const tell = () => {
    console.error('Nothing is left to wait for, and the work is not done.');
    process.exitCode = unfinished;
  };
  process.once('beforeExit', tell);
  try {
    return await work;
  } finally {
    process.off('beforeExit', tell);
  }
}
