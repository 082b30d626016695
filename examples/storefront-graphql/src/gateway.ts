/** Client of the gateway and session of the visitor, an account or a guest, stored in the browser. */
import {
  createClient,
  type Document,
  type RunOptions,
  type Tokens,
  UnauthenticatedError,
} from '@duet-gateway/client-graphql';
import { SignInDocument, type SignInMutation } from './generated/graphql';
import { base } from './lib/paths.ts';

const setting = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? '';

export const businessId = setting('business');

/** Origin of the links in mails. Null: pages of the gateway, because the links have no path for a shop below one. */
export const mailLinkOrigin = base === '' ? location.origin : null;

interface Session {
  tokens: Tokens;
  userId: string;
  isMember: boolean;
}

const storageKey = 'shop:session';
const storedSession = (): Session | undefined =>
  JSON.parse(localStorage.getItem(storageKey) ?? 'null') ?? undefined;
let session = storedSession();

function storeSession(next: Session | undefined): void {
  session = next;
  if (next) localStorage.setItem(storageKey, JSON.stringify(next));
  else localStorage.removeItem(storageKey);
}

const client = createClient({
  url: setting('gateway') || location.origin,
  trusted: setting('documents') === 'trusted',
  tokens: session?.tokens,
  rotateRefreshTokens: true,
  onTokens: (tokens) => storeSession(tokens && session ? { ...session, tokens } : undefined),
});

// Another tab has refreshed the tokens, or has signed in or out.
addEventListener('storage', ({ key }) => {
  if (key !== storageKey) return;
  const next = storedSession();
  if (next?.userId !== session?.userId) location.reload();
  else client.signIn(next?.tokens);
});

type Auth = SignInMutation['login']['auth'];

export function startSession({ userId, isGuest, ...tokens }: Auth): void {
  session = { tokens, userId, isMember: !isGuest };
  client.signIn(tokens);
}

export const endSession = () => client.signIn(undefined);

export const tokens = () => client.tokens;
export const userId = () => session?.userId;
export const isMember = () => session?.isMember === true;

let guestSignIn: Promise<void> | undefined;

/** Signs a new visitor in as a guest. Concurrent calls share one sign-in. */
function ensureSession(): Promise<void> | undefined {
  if (client.tokens) return undefined;
  guestSignIn ??= client
    .run(SignInDocument, { input: { provider: 'GUEST' } })
    .then(({ login }) => startSession(login.auth))
    .finally(() => {
      guestSignIn = undefined;
    });
  return guestSignIn;
}

export async function run<Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables,
  options?: RunOptions,
): Promise<Result> {
  await ensureSession();
  try {
    return await client.run(document, variables, options);
  } catch (error) {
    // The session was ended elsewhere, so the request was rejected: retry as a guest.
    if (!(error instanceof UnauthenticatedError) || client.tokens) throw error;
    await ensureSession();
    return client.run(document, variables, options);
  }
}

/** Calls `show` for every event of a subscription until the signal is aborted. The first event is the current state. */
export async function watch<Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables,
  signal: AbortSignal,
  show: (data: Result) => void,
): Promise<void> {
  await ensureSession();
  try {
    for await (const data of client.watch(document, variables, { signal })) show(data);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
