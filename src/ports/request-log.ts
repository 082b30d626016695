/** Port of the request log: requests of a business with their outcome, for the people who build on its API. */

/** The caller as far as the log distinguishes it. */
export interface LoggedUser {
  readonly userId: string;
  readonly isGuest: boolean;
  readonly keyId?: string | undefined;
}

/** Operation of a request, and how to find the businesses that it addresses. */
export interface OperationToLog {
  readonly name: string;
  readonly kind: string;
  businessIds(variables: Record<string, unknown>): ReadonlySet<unknown>;
}

/** Set while a request runs. PERF: one object per request, declared in the literal of its facts. */
export interface ObservedCall {
  user: LoggedUser | undefined;
  /** The last operation of the request. */
  operation: OperationToLog | undefined;
  variables: Record<string, unknown> | null | undefined;
  /** Code of the first error of the operation. */
  code: string | undefined;
}

/** The parts of the request facts that the log reads. */
export interface LoggedRequestFacts {
  readonly requestId: string;
  readonly protocol: string;
  readonly address: string;
  readonly authorization: string | undefined;
  readonly apiKey: string | undefined;
  readonly clientName: string | undefined;
  readonly observed: ObservedCall;
}

/** The parts of an HTTP request that the log reads. */
export interface LoggedHttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  header(name: string): string | undefined;
  receivedBody(): Buffer | undefined;
}

export interface LoggedResult {
  readonly response: { readonly status: number; readonly body: unknown };
  /** REST route, such as `GET /v1/businesses/:businessId/products`. */
  readonly route?: string | undefined;
  readonly code?: string | undefined;
}

export interface RequestLogRecorder {
  /** Queues an entry if the request addresses a business whose share is not used up. Never throws, never waits. */
  record(request: LoggedHttpRequest, facts: LoggedRequestFacts, result: LoggedResult, ms: number): void;
  /** Writes the queue to the database. */
  flush(): Promise<void>;
  /** Starts to flush every second. */
  start(): void;
  /** Stops and flushes the remaining entries. */
  stop(): Promise<void>;
}

export const noopRequestLog: RequestLogRecorder = {
  record: () => {},
  flush: async () => {},
  start: () => {},
  stop: async () => {},
};
