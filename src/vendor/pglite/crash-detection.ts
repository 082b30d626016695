/**
 * PGlite that yields to the event loop between messages, and rejects statements after a crash of PostgreSQL, such as a PANIC when no disk space is left for its write-ahead log. PGlite
 * itself ignores the crash, and the next statement waits forever, without yielding, for a lock that the crashed statement has left behind.
 */
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';

/** Exit status by which PostgreSQL leaves a statement that failed with an ordinary error. */
const longJumpStatus = 100;

export class CrashDetectingPGlite extends PGlite {
  /** Error of the statement that crashed and of all later ones. Present after a crash: this instance cannot be used any more, nor closed. */
  crash: Error | undefined;
  onCrash: (error: Error) => void = () => {};
  readonly #describeCrash: (reason: unknown, directory: string | undefined) => Error;
  #isWatched = false;
  #thrown: unknown;

  constructor(
    options: PGliteOptions,
    describeCrash: (reason: unknown, directory: string | undefined) => Error,
  ) {
    super(options);
    this.#describeCrash = describeCrash;
  }

  override execProtocolRawSync(message: Uint8Array): Uint8Array {
    if (this.crash) throw this.crash;
    this.#watchForCrash();
    return super.execProtocolRawSync(message);
  }

  override execProtocol(...args: Parameters<PGlite['execProtocol']>) {
    return this.#rejectAfterCrash(() => super.execProtocol(...args));
  }

  override execProtocolStream(...args: Parameters<PGlite['execProtocolStream']>) {
    return this.#rejectAfterCrash(() => super.execProtocolStream(...args));
  }

  async #rejectAfterCrash<T>(exchange: () => Promise<T>): Promise<T> {
    const yielding = yieldIfBusy();
    if (yielding) await yielding;
    let reply: T | undefined;
    let reason: unknown;
    try {
      reply = await exchange();
    } catch (error) {
      if (this.#thrown === undefined) throw error;
      reason = error;
    }
    if (this.#thrown === undefined) return reply as T;
    if (!this.crash) {
      this.crash = this.#describeCrash(reason ?? this.#thrown, this.dataDir);
      this.onCrash(this.crash);
    }
    throw this.crash;
  }

  /** PGlite swallows all exceptions of its main loop, and calls it until the message has been read. */
  #watchForCrash(): void {
    if (this.#isWatched || !this.mod) return;
    this.#isWatched = true;
    intercept(this.mod, '_PostgresMainLoopOnce', (run) => {
      // Makes PGlite call _PostgresMainLongJmp, whose exceptions end its loop.
      if (this.#thrown !== undefined) throw Object.assign(new Error('crashed'), { status: longJumpStatus });
      try {
        run();
      } catch (error) {
        if (!isLongJump(error)) this.#thrown = error ?? new Error('unknown exception');
        throw error;
      }
    });
    intercept(this.mod, '_PostgresMainLongJmp', (run) => {
      if (this.#thrown !== undefined) throw this.#thrown;
      run();
    });
    for (const name of ['_PostgresSendReadyForQueryIfNecessary', '_pgl_pq_flush'] as const)
      intercept(this.mod, name, (run) => {
        if (this.#thrown === undefined) run();
      });
  }
}

const isLongJump = (error: unknown) =>
  typeof error === 'object' && error !== null && 'status' in error && error.status === longJumpStatus;

/** Replaces a function of the module. An accessor, because Emscripten assigns an exported function again on its first call. */
function intercept<Name extends string>(
  module: { [name in Name]: () => void },
  name: Name,
  wrap: (run: () => void) => void,
): void {
  let run = module[name];
  const wrapped = () => wrap(run);
  Object.defineProperty(module, name, {
    get: () => wrapped,
    set: (value: () => void) => {
      run = value;
    },
  });
}

/** Statements of PGlite wait for no I/O, so that a sequence of them would block timers, sockets and all other requests. */
const maxBusyMs = 20;

let tickStart: number | undefined;

/** Returns a promise for the next tick if statements have run for 20 ms in this one; undefined: continue. */
function yieldIfBusy(): Promise<void> | undefined {
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
