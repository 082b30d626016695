/** Database command of `duet init`: creates an owner, a business, a market, a shipping method and a first product, and prints the next steps. */
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { type App, createApp } from '../../app.ts';
import { hashPassword } from '../../auth/hash-and-verify-passwords.ts';
import { emailSchema } from '../../domains/users/schemas.ts';
import { newId } from '../../lib/ids.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { now } from '../../lib/time.ts';
import { type CommandContext, createDatabaseCommand, UsageError } from '../command-types-and-usage-error.ts';
import { migrateDatabase } from '../open-and-migrate-databases.ts';
import { parseCommandArgs } from '../parse-command-args.ts';

export const initCommandOptions = {
  email: { type: 'string', default: '' },
  name: { type: 'string', default: '' },
  currency: { type: 'string', default: 'USD' },
  market: { type: 'string', default: 'US' },
  shipping: { type: 'string', default: '500' },
  product: { type: 'string', default: 'First product' },
  price: { type: 'string', default: '1000' },
  json: { type: 'boolean', default: false },
} as const;

type InitArgs = ReturnType<typeof parseInitArgs>;

function parseInitArgs(args: readonly string[]) {
  const { values } = parseCommandArgs(args, initCommandOptions);
  const email = emailSchema.safeParse(values.email);
  if (values.email === '') throw new UsageError('Specify --email with the email address of the owner.');
  if (!email.success)
    throw new UsageError(`--email: ${JSON.stringify(values.email)} is not an email address.`);
  if (values.name.trim() === '') throw new UsageError('Specify --name with the name of the shop.');
  return {
    ...values,
    email: email.data,
    shipping: parseMinorUnits('--shipping', values.shipping),
    price: parseMinorUnits('--price', values.price),
  };
}

function parseMinorUnits(option: string, value: string): number {
  if (/^\d{1,12}$/.test(value)) return Number(value);
  throw new UsageError(`${option} must be an amount in minor units, such as 1900 for 19.00.`);
}

export const createFirstShopCommand = createDatabaseCommand(parseInitArgs, async (context, args) => {
  await migrateDatabase(context.db);
  // The quotas limit accounts; the operator may create any number of businesses.
  const quotas = {
    ...context.config.quotas,
    businessFounders: undefined,
    businessesPerAccount: Number.MAX_SAFE_INTEGER,
  };
  const app = await createApp({
    config: { ...context.config, quotas },
    db: context.db,
    log: pino({ level: 'error' }, pino.destination(2)),
  });
  try {
    const owner = await findOrCreateOwner(context, args.email);
    try {
      const business = await createShop(app, owner.id, args);
      context.write(
        args.json
          ? `${JSON.stringify({ business, owner: { ...owner, email: args.email } })}\n`
          : describeShop(context, args, owner, business),
      );
    } catch (error) {
      if (owner.password !== undefined) await context.db.prisma.user.delete({ where: { id: owner.id } });
      throw error;
    }
  } finally {
    await app.stop();
  }
});

interface Owner {
  id: string;
  /** Password of an account that was created; undefined if the account existed. */
  password?: string;
}

async function findOrCreateOwner({ db }: CommandContext, email: string): Promise<Owner> {
  const existing = await db.prisma.user.findFirst({
    where: { email: { equals: email, mode: 'insensitive' } },
    select: { id: true, isConfirmed: true },
  });
  if (existing && !existing.isConfirmed)
    throw new OperatorError(`The account ${email} is not confirmed. Open the link of its mail first.`);
  if (existing) return { id: existing.id };
  const password = randomBytes(15).toString('base64url');
  const id = newId();
  const time = now();
  await db.prisma.user.create({
    data: {
      id,
      email,
      passwordHash: await hashPassword(password),
      isConfirmed: true,
      phoneNumbers: [],
      createdAt: time,
      updatedAt: time,
    },
  });
  return { id, password };
}

interface CreatedBusiness {
  id: string;
  slug: string;
}

/** Sends the requests that a client would send, so that the same rules apply. Deletes the business if one is rejected. */
async function createShop(app: App, ownerId: string, args: InitArgs): Promise<CreatedBusiness> {
  const { token } = await app.services.tokens.issueAccess({
    sub: ownerId,
    email: args.email,
    provider: 'EMAIL',
  });
  const send = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const response = await app.fetch(
      new Request(`http://localhost/v1/businesses${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    );
    const result = (await response.json()) as Body & RestError;
    if (response.ok) return result;
    const details = result.details
      .map(({ field, message }) => `${optionByField[field] ?? field}: ${message}`)
      .filter(
        (text, index, all) =>
          all.findIndex((other) => other.split(': ')[0] === text.split(': ')[0]) === index,
      )
      .join(' ');
    throw new OperatorError(details || result.message);
  };
  const { id, slug } = await send<CreatedBusiness>('POST', '', { name: args.name });
  const business = { id, slug };
  const marketId = args.market;
  try {
    await send('POST', `/${business.id}/markets`, { code: marketId, currency: args.currency });
    await send('POST', `/${business.id}/shipping-methods`, {
      id: 'standard',
      name: 'Standard',
      prices: [{ marketId, price: args.shipping }],
    });
    await send('POST', `/${business.id}/products`, {
      name: args.product,
      status: 'ACTIVE',
      variants: [
        {
          name: args.product,
          sku: 'FIRST-1',
          pricing: { markets: [{ marketId, currency: args.currency, price: args.price }] },
        },
      ],
    });
  } catch (error) {
    await send('DELETE', `/${business.id}`);
    throw error;
  }
  return business;
}

const optionByField: Readonly<Record<string, string>> = {
  name: '--name',
  code: '--market',
  currency: '--currency',
  'prices.0.price': '--shipping',
  'variants.0.pricing.markets.0.price': '--price',
};

interface RestError {
  message: string;
  details: { field: string; message: string }[];
}

function describeShop(
  { config }: CommandContext,
  { email, name, market, currency, product }: InitArgs,
  { password }: Owner,
  { id, slug }: CreatedBusiness,
): string {
  const account =
    password === undefined
      ? `Owner: the existing account ${email}.`
      : `Owner: ${email}, password ${password} (change it after the first sign-in).`;
  const nextSteps: readonly [string, string][] = [
    ['duet start', 'starts the gateway, unless it runs already'],
    [`${config.publicUrl}/graphql`, 'GraphiQL: sign in as the owner, and query the shop'],
    [`${config.publicUrl}/docs`, 'the REST reference'],
    [`${config.publicUrl}/guide`, 'tutorials and how-to pages: products, shipping, payments'],
  ];
  const width = Math.max(...nextSteps.map(([step]) => step.length));
  return `Created the shop ${name}, slug ${slug}, id ${id}.
${account}
It sells "${product}" in the market ${market} (${currency}), with the shipping method "standard".

Next steps:
${nextSteps.map(([step, text]) => `  ${step.padEnd(width)}  ${text}\n`).join('')}`;
}
