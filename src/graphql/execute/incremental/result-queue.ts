/** Queue between the execution of an operation and the client that reads its parts. */
import type { GraphQLError } from 'graphql';

/** A deferred fragment (`data`) or streamed items (`items`) at a path of the response. */
export interface IncrementalPart {
  readonly data?: unknown;
  readonly items?: readonly unknown[] | null;
  readonly path?: readonly (string | number)[];
  readonly label?: string;
  readonly errors?: readonly GraphQLError[];
}

/** A result after the first one. `errors` is set if the execution was stopped: parts are missing then. */
export interface SubsequentResult {
  readonly incremental?: readonly IncrementalPart[];
  readonly errors?: readonly GraphQLError[];
  readonly hasNext: boolean;
}

interface ResultQueue extends AsyncIterableIterator<SubsequentResult, undefined> {
  add(parts: readonly IncrementalPart[]): void;
  /** Ends the queue after the parts that it contains. */
  end(errors?: readonly GraphQLError[]): void;
}

/** Results after which the queue waits for the end of the execution, and delivers the remaining parts in one result. */
export const maxIncrementalResults = 50;

/** Parts that wait for the client are delivered together. Execution does not wait for the client. */
export function createResultQueue(): ResultQueue {
  let parts: IncrementalPart[] = [];
  let results = 0;
  /** Set at the end of the execution. */
  let last: { errors?: readonly GraphQLError[] } | undefined;
  let isDelivered = false;
  let wake = () => {};

  function nextResult(): SubsequentResult | undefined {
    if (!last && (parts.length === 0 || results >= maxIncrementalResults)) return undefined;
    const incremental = parts;
    parts = [];
    results += 1;
    isDelivered = last !== undefined;
    return { ...(incremental.length > 0 ? { incremental } : {}), ...last, hasNext: !last };
  }

  return {
    add(added) {
      if (last) return;
      parts.push(...added);
      wake();
    },
    end(errors) {
      last ??= errors ? { errors } : {};
      wake();
    },
    async next() {
      if (isDelivered) return { done: true, value: undefined };
      for (;;) {
        const value = nextResult();
        if (value) return { done: false, value };
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        if (isDelivered) return { done: true, value: undefined };
      }
    },
    async return() {
      isDelivered = true;
      parts = [];
      last = {};
      wake();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
