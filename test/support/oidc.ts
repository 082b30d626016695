/** A real OpenID Connect provider on loopback, and a browser that signs in there. */
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
  /** Who can sign in, by their id at the provider. */
  accounts: Map<string, OidcAccount>;
  /** How many tokens were revoked. */
  revokedTokens(): number;
  /** Goes to the address as a browser does, signs in and agrees; returns where the provider sends the browser then. */
  signIn(url: string, accountId: string): Promise<URL>;
  /** The same, but the person says no. */
  denyConsent(url: string): Promise<URL>;
}

export async function startOidcProvider(redirectUri: string, { claimsInIdToken = false } = {}): Promise<OidcProvider> {
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

  /** Follows redirects with cookies until the browser leaves the provider or has a page to look at. */
  function browser() {
    const cookies = new Map<string, string>();
    return async (start: string, init: RequestInit = {}): Promise<{ left?: URL; at: string }> => {
      let [at, request] = [start, init];
      for (;;) {
        const response = await fetch(at, {
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
        if (!location) return { at };
        const next = new URL(location, at);
        if (next.origin !== issuer) return { left: next, at };
        [at, request] = [next.href, {}];
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
      const go = browser();
      let step = await go(url);
      for (const form of [{ prompt: 'login', login: accountId, password: 'x' }, { prompt: 'consent' }]) {
        if (!step.left) step = await go(step.at, { method: 'POST', body: new URLSearchParams(form) });
      }
      if (!step.left) throw new Error(`The provider did not let the browser go: ${step.at}`);
      return step.left;
    },
    async denyConsent(url) {
      const go = browser();
      const { at } = await go(url);
      const { left } = await go(`${at}/abort`);
      if (!left) throw new Error('The provider did not let the browser go.');
      return left;
    },
  };
}
