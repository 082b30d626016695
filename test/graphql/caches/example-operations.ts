/** Operations of the storefront example, with variables for the world of the parity test. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperationTypeNode, parse, print, separateOperations } from 'graphql';
import type { World } from '../../parity/fixtures.ts';
import { samples } from '../../parity/samples/index.ts';
import { operationOf } from './cached-operation.ts';

const folder = 'examples/storefront-graphql/src/documents';

type Variables = Record<string, unknown>;

/** The example has the input of the stored operation. */
const inputOf = (operation: string) => (world: World) => ({ input: samples[operation]?.(world).body });
const pathAndInputOf = (operation: string) => (world: World) => ({
  ...samples[operation]?.(world).path,
  ...inputOf(operation)(world),
});
const cartLine = ({ ids }: World) => ({ lineId: ids.cartLine });

const variablesByOperation: Readonly<Record<string, (world: World) => Variables>> = {
  SignIn: inputOf('Login'),
  Register: inputOf('Register'),
  ConfirmEmail: (world) => ({ ...samples.ConfirmEmail?.(world).body }),
  ForgotPassword: inputOf('ForgotPassword'),
  NewPassword: inputOf('ResetForgottenPassword'),
  KeepAddresses: () => ({ addresses: [{ id: 'home', street: 'Main Street 1', city: 'Springfield' }] }),
  OpenCart: inputOf('OpenCart'),
  ChangeCart: inputOf('UpdateCart'),
  AddLine: inputOf('AddCartLine'),
  ChangeLine: (world) => ({ ...cartLine(world), quantity: 2 }),
  RemoveLine: cartLine,
  TakeGuestCart: (world) => ({ ...samples.MergeCart?.(world).body }),
  Buy: inputOf('CheckoutCart'),
  Catalogue: () => ({ market: 'US' }),
  MoreProducts: () => ({ market: 'US', after: '' }),
  OneProduct: ({ ids }) => ({ market: 'US', slug: ids.product }),
  PayOrder: pathAndInputOf('CreatePaymentLink'),
  SendBack: pathAndInputOf('RequestReturn'),
  JoinNewsletter: pathAndInputOf('Subscribe'),
};

export const exampleOperations = (world: World) => {
  const text = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  return Object.entries(separateOperations(parse(text)))
    .filter(([, document]) => operationOf(document).operation !== OperationTypeNode.SUBSCRIPTION)
    .map(([name, document]) => ({
      name,
      source: print(document),
      variables: () => ({ businessId: world.shop.businessId, ...variablesByOperation[name]?.(world) }),
    }));
};
