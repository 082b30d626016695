/** Accounts: signing in and out, and the links in mails. */
import * as cart from './cart.ts';
import { ask, become, granted, isMember, leave, tokens } from './gateway.ts';
import { RegisterDocument, SignInDocument, SignOutDocument } from './generated/graphql';

export async function signIn(email: string, password: string): Promise<void> {
  const { tryLogin } = await ask(SignInDocument, { by: { email: { email, password } } });
  const { auth } = granted(tryLogin);
  const guestToken = isMember() ? undefined : tokens()?.accessToken;
  become(auth);
  if (guestToken) await cart.takeGuestCart(guestToken);
  else await cart.load();
}

export async function signOut(): Promise<void> {
  const token = tokens()?.refreshToken;
  await ask(SignOutDocument, { token });
  leave();
  await cart.load();
}

/** The mail's link leads to `/confirm` of this shop. */
export async function register(input: { name: string; email: string; password: string }): Promise<void> {
  const { tryRegister } = await ask(RegisterDocument, {
    input: { ...input, reserveDomain: location.origin },
  });
  granted(tryRegister);
}
