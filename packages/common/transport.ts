/** Sends requests: with a token that is renewed in time, and again when that is safe. */

export interface Tokens {
  accessToken: string;
  refreshToken?: string | undefined;
  /** When the access token expires, in seconds. */
  expiresAt?: number | undefined;
}

export interface ClientOptions {
  /** Where the gateway is, such as `https://shop.example`. */
  url: string;
  tokens?: Tokens | undefined;
  /** Instead of tokens. */
  apiKey?: string | undefined;
  /** What the gateway's operators see this program as, sent as `X-Client-Name`. */
  clientName?: string | undefined;
  /** The date of the REST contract that this program was written for, sent as `X-Duet-Version`. The newest when absent. */
  version?: string | undefined;
  /** Told of new tokens, to keep them; undefined when the session has ended. */
  onTokens?: ((tokens: Tokens | undefined) => void) | undefined;
  /** How often a request is sent again at most. 2 when absent. */
  retries?: number | undefined;
  fetch?: ((request: Request) => Promise<Response>) | undefined;
}

export class Transport {
  readonly url: string;
  readonly retries: number;
  readonly #options: ClientOptions;
  readonly #fetch: (request: Request) => Promise<Response>;
  /** What every request says of the program that sends it. */
  readonly #told: Readonly<Record<string, string>>;
  #tokens: Tokens | undefined;
  #refreshing: Promise<boolean> | undefined;

  constructor(options: ClientOptions) {
    this.url = options.url.replace(/\/+$/, '');
    this.retries = options.retries ?? 2;
    this.#options = options;
    this.#fetch = options.fetch ?? ((request) => globalThis.fetch(request));
    this.#tokens = options.tokens;
    const { clientName, version } = options;
    this.#told = {
      ...(clientName ? { 'x-client-name': clientName } : {}),
      ...(version ? { 'x-duet-version': version } : {}),
    };
  }

  get tokens(): Tokens | undefined {
    return this.#tokens;
  }

  /** From now on as whoever these belong to; undefined: as nobody. */
  signIn(tokens: Tokens | undefined): void {
    this.#tokens = tokens;
    this.#options.onTokens?.(tokens);
  }

  /** `mayRepeat`: sending it twice does no harm, also when it is not known whether the first one arrived. */
  async send(request: Request, mayRepeat: boolean): Promise<Response> {
    if (this.#isExpiring()) await this.refresh();
    const used = this.#tokens?.accessToken;
    const response = await this.#tried(request, mayRepeat);
    if (response.status !== 401) return response;
    // Somebody else may have renewed them in the meantime.
    const isRenewed = this.#tokens !== undefined && this.#tokens.accessToken !== used;
    if (!isRenewed && !(await this.refresh())) return response;
    return this.#tried(request, mayRepeat);
  }

  /** Whether there are new tokens now. Those who ask at the same time share one answer. */
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
        headers: { 'content-type': 'application/json', ...this.#told },
        body: JSON.stringify({ refreshToken }),
      }),
    );
    if (response.ok) this.signIn({ refreshToken, ...((await response.json()) as Tokens) });
    // Only a clear no ends the session: what is busy or broken may answer later.
    else if (response.status < 500 && response.status !== 429) this.signIn(undefined);
    return response.ok;
  }

  #isExpiring(): boolean {
    const { expiresAt, refreshToken } = this.#tokens ?? {};
    return refreshToken !== undefined && expiresAt !== undefined && expiresAt - 30 < Date.now() / 1000;
  }

  async #tried(request: Request, mayRepeat: boolean): Promise<Response> {
    for (let tries = 0; ; tries += 1) {
      const isLast = tries >= this.retries;
      try {
        const response = await this.#fetch(this.#signed(request));
        // Refused before anything was done, or safe to be done twice.
        const again = response.status === 429 || (mayRepeat && response.status === 503);
        if (!again || isLast) return response;
        const seconds = Number(response.headers.get('retry-after')) || 0;
        if (seconds > longestWait) return response;
        await response.body?.cancel();
        await wait(seconds > 0 ? seconds * 1000 : pause(tries), request.signal);
      } catch (error) {
        if (!mayRepeat || isLast || request.signal.aborted) throw error;
        await wait(pause(tries), request.signal);
      }
    }
  }

  #signed(request: Request): Request {
    const signed = request.clone();
    const token = this.#options.apiKey ?? this.#tokens?.accessToken;
    if (token) signed.headers.set('authorization', `Bearer ${token}`);
    for (const [name, value] of Object.entries(this.#told)) signed.headers.set(name, value);
    return signed;
  }
}

/** Seconds: whoever is told to wait longer should know. */
const longestWait = 30;

/** Milliseconds, growing, and not the same for all who failed together. */
export const pause = (tries: number): number => 200 * 2 ** tries * (0.5 + Math.random());

export const wait = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((done, failed) => {
    const stop = () => {
      clearTimeout(timer);
      failed(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      done();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
