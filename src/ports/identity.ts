/** Port of an external identity provider: OpenID Connect authorization code flow with PKCE, state and nonce. */

/** Values that link the redirect to the provider with its callback. */
interface ExternalSignInRequest {
  redirectUri: string;
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** Verified claims about the user. */
export interface IdentityClaims {
  issuer: string;
  subject: string;
  email: string | undefined;
  emailVerified: boolean;
  name: string | undefined;
  /** Token for `revoke` at sign-out. */
  token: string | undefined;
}

export interface IdentityProvider {
  /** URL to redirect the browser to. */
  authorizationUrl(request: ExternalSignInRequest): Promise<string>;
  /** Completes the sign-in with the query string of the callback. Throws IdentityRejectedError if the provider rejects it. */
  finish(request: ExternalSignInRequest, query: string): Promise<IdentityClaims>;
  revoke(token: string): Promise<void>;
}

/** The provider or the user rejected the sign-in. Other errors may be retried. */
export class IdentityRejectedError extends Error {
  override readonly name = 'IdentityRejectedError';
}
