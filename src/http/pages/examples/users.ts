/** Signing in, in GraphiQL. */
import type { ExampleOperation } from '../example-operation.ts';

export const examples: readonly ExampleOperation[] = [
  {
    query: `# An access token for a visitor. Copy it into "Headers" of the other tabs.
mutation SignIn($input: LoginInput!) {
  login(input: $input) {
    auth {
      accessToken
      expiresAt
      isGuest
    }
  }
}
`,
    variables: { input: { provider: 'GUEST' } },
  },
];
