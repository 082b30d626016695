/** Session of a visitor: the tokens of a guest, in a cookie that scripts cannot read. Created with the first product in the cart. */
import type { IncomingMessage } from 'node:http';
import { origin } from '../config.ts';
import { RefreshGuestDocument, StartGuestDocument, type TypedDocumentString } from '../generated/graphql.ts';
import { GatewayError, type SendOptions, send } from './gateway.ts';

interface Tokens {
  accessToken: string;
  refreshToken?: string | null | undefined;
}

const cookieName = 'guest';
/** Refresh tokens of guests are valid for 30 days. */
const maxAgeSeconds = 30 * 24 * 3600;

const isUnauthenticated = (error: unknown): boolean =>
  error instanceof GatewayError && error.code === 'UNAUTHENTICATED';

export class Session {
  #tokens: Tokens | undefined;
  #isChanged = false;
  readonly #forwardedFor: string;

  constructor(request: IncomingMessage) {
    this.#tokens = readCookie(request.headers.cookie ?? '');
    this.#forwardedFor = [request.headers['x-forwarded-for'], request.socket.remoteAddress]
      .filter(Boolean)
      .join(', ');
  }

  get isKnown(): boolean {
    return this.#tokens !== undefined;
  }

  /** Value of `Set-Cookie`; undefined if the session has not changed. */
  get setCookie(): string | undefined {
    if (!this.#isChanged) return undefined;
    const secure = origin.startsWith('https:') ? '; Secure' : '';
    const value = this.#tokens ? Buffer.from(JSON.stringify(this.#tokens)).toString('base64url') : '';
    const age = this.#tokens ? maxAgeSeconds : 0;
    return `${cookieName}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}`;
  }

  #set(tokens: Tokens | undefined): void {
    this.#tokens = tokens;
    this.#isChanged = true;
  }

  /** Signs in as a new guest, if there is no session yet. */
  async start(): Promise<void> {
    if (this.#tokens) return;
    const { login } = await send(StartGuestDocument, {}, { forwardedFor: this.#forwardedFor });
    this.#set(login.auth);
  }

  /** Sends a document with the token of the visitor; refreshes an expired token once. */
  async run<Result, Variables>(
    document: TypedDocumentString<Result, Variables>,
    variables: Variables,
    options: Pick<SendOptions, 'idempotencyKey'> = {},
  ): Promise<Result> {
    const attempt = () =>
      send(document, variables, {
        ...options,
        forwardedFor: this.#forwardedFor,
        token: this.#tokens?.accessToken,
      });
    try {
      return await attempt();
    } catch (error) {
      if (!isUnauthenticated(error)) throw error;
      await this.#refresh();
      return attempt();
    }
  }

  /** Like `run`, but undefined if the visitor has no session or it has expired. */
  async runIfSignedIn<Result, Variables>(
    document: TypedDocumentString<Result, Variables>,
    variables: Variables,
  ): Promise<Result | undefined> {
    if (!this.#tokens) return undefined;
    try {
      return await this.run(document, variables);
    } catch (error) {
      if (isUnauthenticated(error)) return undefined;
      throw error;
    }
  }

  async #refresh(): Promise<void> {
    const { refreshToken } = this.#tokens ?? {};
    try {
      if (!refreshToken) throw new GatewayError('UNAUTHENTICATED', 'There is no session.');
      const { refresh } = await send(
        RefreshGuestDocument,
        { refreshToken },
        { forwardedFor: this.#forwardedFor },
      );
      this.#set({ ...refresh.auth, refreshToken: refresh.auth.refreshToken ?? refreshToken });
    } catch (error) {
      // After other errors, such as an outage, the session is still valid.
      if (isUnauthenticated(error)) this.#set(undefined);
      throw error;
    }
  }
}

function readCookie(header: string): Tokens | undefined {
  const value = header
    .split(/;\s*/)
    .find((part) => part.startsWith(`${cookieName}=`))
    ?.slice(cookieName.length + 1);
  if (!value) return undefined;
  try {
    const tokens = JSON.parse(Buffer.from(value, 'base64url').toString()) as Partial<Tokens>;
    return typeof tokens.accessToken === 'string' ? (tokens as Tokens) : undefined;
  } catch {
    return undefined;
  }
}
