/** Signing in, in GraphiQL. */
import type { ExampleOperation } from '../example-operation.ts';

export const examples: readonly ExampleOperation[] = [
  {
    query: `# An access token for a visitor. In "Headers" it takes the place of the page's own.
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
