/** The gateway, and who we are there: somebody with an account, or a guest. Kept in this browser. */
import {
  createClient,
  type Document,
  errorOf,
  type RunOptions,
  type Tokens,
  UnauthenticatedError,
} from 'duet-client-graphql';
import { type RefusalPartsFragment, SignInDocument, type SignInMutation } from './generated/graphql';

const setting = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? '';

export const businessId = setting('business');

interface Session {
  tokens: Tokens;
  userId: string;
  isMember: boolean;
}

const place = 'shop:session';
const kept = (): Session | undefined => JSON.parse(localStorage.getItem(place) ?? 'null') ?? undefined;
let session = kept();

function keep(next: Session | undefined): void {
  session = next;
  if (next) localStorage.setItem(place, JSON.stringify(next));
  else localStorage.removeItem(place);
}

const client = createClient({
  url: setting('gateway'),
  trusted: setting('documents') === 'trusted',
  tokens: session?.tokens,
  onTokens: (tokens) => keep(tokens && session ? { ...session, tokens } : undefined),
});

// Another tab has renewed the tokens, or has become somebody else.
addEventListener('storage', ({ key }) => {
  if (key !== place) return;
  const next = kept();
  if (next?.userId !== session?.userId) location.reload();
  else client.signIn(next?.tokens);
});

type Auth = Extract<SignInMutation['tryLogin'], { __typename: 'AuthPayload' }>['auth'];

export function become({ userId, isGuest, ...tokens }: Auth): void {
  session = { tokens, userId, isMember: !isGuest };
  client.signIn(tokens);
}

export const leave = () => client.signIn(undefined);

export const tokens = () => client.tokens;
export const userId = () => session?.userId;
export const isMember = () => session?.isMember === true;

let arriving: Promise<void> | undefined;

/** Who comes for the first time is a guest; those who ask at the same time are the same one. */
function somebody(): Promise<void> | undefined {
  if (client.tokens) return undefined;
  arriving ??= client
    .run(SignInDocument, { by: { guest: {} } })
    .then(({ tryLogin }) => become(granted(tryLogin).auth))
    .finally(() => {
      arriving = undefined;
    });
  return arriving;
}

export async function ask<Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables,
  options?: RunOptions,
): Promise<Result> {
  await somebody();
  try {
    return await client.run(document, variables, options);
  } catch (error) {
    // The session has ended elsewhere, so nothing was done: on as a guest.
    if (!(error instanceof UnauthenticatedError) || client.tokens) throw error;
    await somebody();
    return client.run(document, variables, options);
  }
}

/** Shows the state as it is, and every change, until the signal says that nobody looks any more. */
export async function follow<Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables,
  signal: AbortSignal,
  show: (data: Result) => void,
): Promise<void> {
  await somebody();
  try {
    for await (const data of client.watch(document, variables, { signal })) show(data);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

type Refusal = RefusalPartsFragment & { __typename: 'Refusal' };

/** What was asked for; a refusal is thrown as any other error is. */
export function granted<Outcome extends { __typename: string }>(
  outcome: Outcome | Refusal,
): Exclude<Outcome, { __typename: 'Refusal' }> {
  if (isRefusal(outcome)) throw errorOf({ ...outcome, retryAfter: outcome.retryAfter ?? undefined });
  return outcome as Exclude<Outcome, { __typename: 'Refusal' }>;
}

const isRefusal = (outcome: { __typename: string }): outcome is Refusal => outcome.__typename === 'Refusal';
