/** HTTP transport of both clients: adds tokens, refreshes them before they expire, and retries requests when that is safe. */

export interface Tokens {
  accessToken: string;
  refreshToken?: string | undefined;
  /** Expiry of the access token in Unix seconds. */
  expiresAt?: number | undefined;
}

export interface ClientOptions {
  /** URL of the gateway, such as `https://shop.example`. */
  url: string;
  tokens?: Tokens | undefined;
  /** Instead of tokens. */
  apiKey?: string | undefined;
  /** Name of this program in the usage statistics of the gateway, sent as `X-Client-Name`. */
  clientName?: string | undefined;
  /** REST API version, sent as `X-Duet-Version`, such as `2026-11-18`. Default: the version that the gateway documents as default. */
  version?: string | undefined;
  /** Called with new tokens, to store them; with undefined when the session has ended. */
  onTokens?: ((tokens: Tokens | undefined) => void) | undefined;
  /** Requests a new refresh token with each renewal. Requires that `onTokens` stores the tokens. Default: false. */
  rotateRefreshTokens?: boolean | undefined;
  /** Maximum number of retries. Default: 2. */
  retries?: number | undefined;
  fetch?: ((request: Request) => Promise<Response>) | undefined;
}

export class Transport {
  readonly url: string;
  readonly retries: number;
  readonly #options: ClientOptions;
  readonly #fetch: (request: Request) => Promise<Response>;
  /** Headers that identify this program. */
  readonly #clientHeaders: Readonly<Record<string, string>>;
  #tokens: Tokens | undefined;
  #refreshing: Promise<boolean> | undefined;

  constructor(options: ClientOptions) {
    this.url = options.url.replace(/\/+$/, '');
    this.retries = options.retries ?? 2;
    this.#options = options;
    this.#fetch = options.fetch ?? ((request) => globalThis.fetch(request));
    this.#tokens = options.tokens;
    const { clientName, version } = options;
    this.#clientHeaders = {
      ...(clientName ? { 'x-client-name': clientName } : {}),
      ...(version ? { 'x-duet-version': version } : {}),
    };
  }

  get tokens(): Tokens | undefined {
    return this.#tokens;
  }

  /** Tokens of all later requests; undefined: without authentication. */
  signIn(tokens: Tokens | undefined): void {
    this.#tokens = tokens;
    this.#options.onTokens?.(tokens);
  }

  /** `isRetryable`: the request is safe to send again even if the gateway may have processed it. */
  async send(request: Request, isRetryable: boolean): Promise<Response> {
    if (this.#isExpiring()) await this.refresh();
    const usedToken = this.#tokens?.accessToken;
    const response = await this.#sendWithRetries(request, isRetryable);
    if (response.status !== 401) return response;
    // Another request, or another tab, may have refreshed the tokens meanwhile.
    const isRefreshed = this.#tokens !== undefined && this.#tokens.accessToken !== usedToken;
    if (!isRefreshed && !(await this.refresh())) return response;
    return this.#sendWithRetries(request, isRetryable);
  }

  /** Refreshes the tokens and returns whether it succeeded. Concurrent calls share one request. */
  refresh(): Promise<boolean> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refresh(): Promise<boolean> {
    const refreshToken = this.#tokens?.refreshToken;
    if (!refreshToken) return false;
    const response = await this.#fetch(
      new Request(`${this.url}/v1/users/refresh`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...this.#clientHeaders },
        body: JSON.stringify({
          refreshToken,
          ...(this.#options.rotateRefreshTokens ? { rotate: true } : {}),
        }),
      }),
    );
    if (response.ok) this.signIn({ refreshToken, ...((await response.json()) as Tokens) });
    // Only a rejection ends the session: 429 and 5xx may succeed later.
    else if (response.status < 500 && response.status !== 429) this.signIn(undefined);
    return response.ok;
  }

  #isExpiring(): boolean {
    const { expiresAt, refreshToken } = this.#tokens ?? {};
    return refreshToken !== undefined && expiresAt !== undefined && expiresAt - 30 < Date.now() / 1000;
  }

  async #sendWithRetries(request: Request, isRetryable: boolean): Promise<Response> {
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= this.retries;
      try {
        const response = await this.#fetch(this.#authenticated(request));
        // 429: rejected before it was processed. 503: only if the request is safe to repeat.
        const shouldRetry = response.status === 429 || (isRetryable && response.status === 503);
        if (!shouldRetry || isLast) return response;
        const seconds = Number(response.headers.get('retry-after')) || 0;
        if (seconds > maxWaitSeconds) return response;
        await response.body?.cancel();
        await wait(seconds > 0 ? seconds * 1000 : backoffMs(attempt), request.signal);
      } catch (error) {
        if (!isRetryable || isLast || request.signal.aborted) throw error;
        await wait(backoffMs(attempt), request.signal);
      }
    }
  }

  #authenticated(request: Request): Request {
    const copy = request.clone();
    const token = this.#options.apiKey ?? this.#tokens?.accessToken;
    if (token) copy.headers.set('authorization', `Bearer ${token}`);
    for (const [name, value] of Object.entries(this.#clientHeaders)) copy.headers.set(name, value);
    return copy;
  }
}

/** With a longer `Retry-After`, the caller gets the response instead of a retry. */
const maxWaitSeconds = 30;

/** Exponential backoff in milliseconds, with jitter so that clients which failed together do not retry together. */
export const backoffMs = (attempt: number): number => 200 * 2 ** attempt * (0.5 + Math.random());

export const wait = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
