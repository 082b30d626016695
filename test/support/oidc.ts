/** OpenID Connect provider on loopback (oidc-provider), and a minimal browser that signs in there. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { afterAll } from 'vitest';

export interface OidcAccount {
  email?: string;
  email_verified?: boolean;
  name?: string;
}

export interface OidcProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Accounts that can sign in, by their id at the provider. */
  accounts: Map<string, OidcAccount>;
  /** Number of revoked access tokens. */
  revokedTokens(): number;
  /** Opens the URL, signs in and consents; returns the URL that the provider redirects to. */
  signIn(url: string, accountId: string): Promise<URL>;
  /** Opens the URL and aborts the sign-in; returns the URL that the provider redirects to. */
  denyConsent(url: string): Promise<URL>;
}

export async function startOidcProvider(
  redirectUri: string,
  { claimsInIdToken = false } = {},
): Promise<OidcProvider> {
  let listener: RequestListener = (_req, res) => res.end();
  const server = createServer((req, res) => listener(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accounts = new Map<string, OidcAccount>();
  const [clientId, clientSecret] = ['duet', 'a secret between the two of them'];
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: !claimsInIdToken,
    cookies: { keys: ['test'] },
    features: { revocation: { enabled: true } },
    findAccount: (_ctx: unknown, accountId: string) => {
      const claims = accounts.get(accountId);
      return claims && { accountId, claims: () => ({ sub: accountId, ...claims }) };
    },
  });
  let revoked = 0;
  provider.on('access_token.destroyed', () => {
    revoked += 1;
  });
  listener = provider.callback();
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Follows redirects with cookies until one leaves the provider (`redirect`) or a page is shown. */
  function createBrowser() {
    const cookies = new Map<string, string>();
    return async (start: string, init: RequestInit = {}): Promise<{ redirect?: URL; url: string }> => {
      let [url, request] = [start, init];
      for (;;) {
        const response = await fetch(url, {
          ...request,
          redirect: 'manual',
          headers: {
            ...request.headers,
            cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          },
        });
        for (const cookie of response.headers.getSetCookie()) {
          const [name = '', value = ''] = cookie.split(';')[0]?.split('=', 2) ?? [];
          cookies.set(name, value);
        }
        await response.text();
        const location = response.headers.get('location');
        if (!location) return { url };
        const next = new URL(location, url);
        if (next.origin !== issuer) return { redirect: next, url };
        [url, request] = [next.href, {}];
      }
    };
  }

  return {
    issuer,
    clientId,
    clientSecret,
    accounts,
    revokedTokens: () => revoked,
    async signIn(url, accountId) {
      const follow = createBrowser();
      let step = await follow(url);
      for (const form of [{ prompt: 'login', login: accountId, password: 'x' }, { prompt: 'consent' }]) {
        if (!step.redirect)
          step = await follow(step.url, { method: 'POST', body: new URLSearchParams(form) });
      }
      if (!step.redirect) throw new Error(`The provider did not redirect to the client: ${step.url}`);
      return step.redirect;
    },
    async denyConsent(url) {
      const follow = createBrowser();
      const { url: page } = await follow(url);
      const { redirect } = await follow(`${page}/abort`);
      if (!redirect) throw new Error('The provider did not redirect to the client.');
      return redirect;
    },
  };
}
