/** Client of an app under test in both protocols, with helpers that create users and businesses. */
import type { App } from '../../src/app.ts';
import { defaultRoles, type Permission } from '../../src/auth/permissions-and-default-roles.ts';
import type { AuthProvider } from '../../src/auth/sign-and-verify-tokens.ts';
import { hashApiKey } from '../../src/auth/viewer-and-authentication.ts';
import type { Db } from '../../src/db/handles.ts';
import type { OutboxMessage } from '../../src/generated/prisma/client.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { apiVersions, defaultApiVersion } from '../../src/rest/api-versions.ts';
import { assertMatchesContract } from './contract-check.ts';
import { assertCodesAreListed } from './listed-codes.ts';

export interface Person {
  userId: string;
  token: string;
}

export interface Shop {
  businessId: string;
  admin: Person;
  /** Role ids by name: ADMIN, MANAGER, EDITOR. */
  roles: Record<string, string>;
}

export interface RestResponse<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface CallOptions {
  as?: Person | undefined;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface GraphqlResponse {
  status: number;
  headers: Headers;
  // Tests read nested fields of responses without types; their assertions check the shape.
  data: Record<string, never> | null | undefined;
  errors: {
    message: string;
    path?: (string | number)[];
    extensions: { code: string; details: { field: string; error: string; message: string }[] };
  }[];
}

const isPage = ({ headers }: Response) => headers.get('content-type')?.startsWith('text/html') ?? false;

export class TestApp {
  readonly app: App;
  readonly db: Db;
  /** Every SQL statement since the last `statements.length = 0`. */
  readonly statements: string[];

  constructor(app: App, db: Db, statements: string[]) {
    this.app = app;
    this.db = db;
    this.statements = statements;
  }

  async rest<Body = Record<string, never>>(
    method: string,
    path: string,
    { as, headers, body }: CallOptions = {},
  ): Promise<RestResponse<Body>> {
    const response = await this.app.fetch(
      new Request(`http://duet.test${path}`, {
        method,
        headers: {
          ...(as ? { authorization: `Bearer ${as.token}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    // The printed contract describes the default and the newest API version.
    const version = headers?.['x-duet-version'] ?? defaultApiVersion;
    if (version === defaultApiVersion || version === apiVersions.at(-1))
      assertMatchesContract({ method, path, status: response.status, headers: response.headers, text });
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? null : isPage(response) ? text : JSON.parse(text)) as Body,
    };
  }

  async graphql(
    query: string,
    variables: Record<string, unknown> = {},
    { as, headers }: CallOptions = {},
  ): Promise<GraphqlResponse> {
    const response = await this.rest<{
      data?: Record<string, never> | null;
      errors?: GraphqlResponse['errors'];
    }>('POST', '/graphql', {
      as,
      ...(headers ? { headers } : {}),
      body: { query, variables },
    });
    assertCodesAreListed(query, response.body);
    return {
      status: response.status,
      headers: response.headers,
      data: response.body.data,
      errors: response.body.errors ?? [],
    };
  }

  async person({
    provider = 'EMAIL',
    email = `${newId()}@people.example`,
    name = 'Somebody',
  }: {
    provider?: AuthProvider;
    email?: string;
    name?: string;
  } = {}): Promise<Person> {
    const isGuest = provider === 'GUEST';
    const userId = newId();
    const time = now();
    await this.db.prisma.user.create({
      data: {
        id: userId,
        name,
        email: isGuest ? null : email,
        isConfirmed: !isGuest,
        isGuest,
        createdAt: time,
        updatedAt: time,
      },
    });
    const { token } = await this.app.services.tokens.issueAccess({
      sub: userId,
      provider,
      ...(isGuest ? {} : { email }),
    });
    return { userId, token };
  }

  /** Runs pending jobs, then returns the captured messages to a recipient, oldest first. */
  async outbox(recipient: string): Promise<OutboxMessage[]> {
    await this.app.drainJobs();
    return this.db.prisma.outboxMessage.findMany({ where: { recipient }, orderBy: { id: 'asc' } });
  }

  guest(): Promise<Person> {
    return this.person({ provider: 'GUEST' });
  }

  /** The same user with a new API key. The key is restricted if `permissions` are given, even if the list is empty. */
  async withApiKey(person: Person, permissions?: readonly Permission[]): Promise<Person> {
    const value = `key-${newId()}`;
    await this.db.prisma.apiToken.create({
      data: {
        userId: person.userId,
        id: newId(),
        name: 'test',
        hash: hashApiKey(value),
        lastFour: value.slice(-4),
        restricted: permissions !== undefined,
        permissions: [...(permissions ?? [])],
        lastUsedAt: now(),
        createdAt: now(),
      },
    });
    return { userId: person.userId, token: value };
  }

  async shop(): Promise<Shop> {
    const admin = await this.person();
    const businessId = newId();
    const time = now();
    const stamps = { createdAt: time, updatedAt: time };
    await this.db.prisma.business.create({
      data: { id: businessId, name: 'Shop', slug: `shop-${businessId}`, ...stamps },
    });
    const roles: Record<string, string> = {};
    for (const { name } of defaultRoles) roles[name] = newId();
    await this.db.prisma.role.createMany({
      data: defaultRoles.map(({ name, permissions }) => ({
        id: roles[name] ?? '',
        businessId,
        name,
        permissions: [...permissions],
        ...stamps,
      })),
    });
    const shop = { businessId, admin, roles };
    await this.addMember(shop, admin, 'ADMIN');
    return shop;
  }

  /** Makes a user a member of a business with a role (ADMIN, MANAGER, EDITOR). */
  async addMember(shop: Shop, person: Person, role: string): Promise<Person> {
    await this.db.prisma.membership.create({
      data: {
        businessId: shop.businessId,
        userId: person.userId,
        roleId: shop.roles[role] ?? '',
        createdAt: now(),
      },
    });
    return person;
  }
}
