/** Sign-in, sign-out and registration. */
import * as cart from './cart.ts';
import { endSession, isMember, mailLinkOrigin, run, startSession, tokens } from './gateway.ts';
import { RegisterDocument, SignInDocument, SignOutDocument } from './generated/graphql';

export async function signIn(email: string, password: string): Promise<void> {
  const { login } = await run(SignInDocument, { input: { provider: 'EMAIL', email, password } });
  const guestToken = isMember() ? undefined : tokens()?.accessToken;
  startSession(login.auth);
  if (guestToken) await cart.mergeGuestCart(guestToken);
  else await cart.load();
}

export async function signOut(): Promise<void> {
  const token = tokens()?.refreshToken;
  await run(SignOutDocument, { token });
  endSession();
  await cart.load();
}

/** Registers an account. The link in the confirmation mail opens `/confirm` of this shop. */
export async function register(input: { name: string; email: string; password: string }): Promise<void> {
  await run(RegisterDocument, { input: { ...input, reserveDomain: mailLinkOrigin } });
}
