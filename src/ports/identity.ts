/** Lets an external identity provider vouch for people: the authorization code flow with PKCE, state and nonce. */

/** What ties the browser's way out to its way back. */
export interface IdentityRequest {
  redirectUri: string;
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** Who the provider says somebody is. */
export interface IdentityClaims {
  issuer: string;
  subject: string;
  email: string | undefined;
  emailVerified: boolean;
  name: string | undefined;
  /** What `revoke` takes when the person signs out. */
  token: string | undefined;
}

export interface IdentityProvider {
  /** The address to send the browser to. */
  authorizationUrl(request: IdentityRequest): Promise<string>;
  /** Finishes with the query the browser came back with; throws IdentityRefused when the provider says no. */
  finish(request: IdentityRequest, query: string): Promise<IdentityClaims>;
  revoke(token: string): Promise<void>;
}

/** The provider, or the person there, said no. Anything else that is thrown may work another time. */
export class IdentityRejectedError extends Error {
  override readonly name = 'IdentityRefused';
}
