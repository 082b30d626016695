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

export class Session {
  #tokens: Tokens | undefined;
  #isChanged = false;

  constructor(request: IncomingMessage) {
    this.#tokens = readCookie(request.headers.cookie ?? '');
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
    const { login } = await send(StartGuestDocument, {});
    this.#set(login.auth);
  }

  /** Sends a document with the token of the visitor; refreshes an expired token once. */
  async run<Result, Variables>(
    document: TypedDocumentString<Result, Variables>,
    variables: Variables,
    options: Omit<SendOptions, 'token'> = {},
  ): Promise<Result> {
    const attempt = () => send(document, variables, { ...options, token: this.#tokens?.accessToken });
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof GatewayError && error.code === 'UNAUTHENTICATED')) throw error;
      await this.#refresh();
      return attempt();
    }
  }

  async #refresh(): Promise<void> {
    const { refreshToken } = this.#tokens ?? {};
    try {
      if (!refreshToken) throw new GatewayError('UNAUTHENTICATED', 'There is no session.');
      const { refresh } = await send(RefreshGuestDocument, { refreshToken });
      this.#set({ ...refresh.auth, refreshToken: refresh.auth.refreshToken ?? refreshToken });
    } catch (error) {
      this.#set(undefined);
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
