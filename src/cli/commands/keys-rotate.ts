/** `duet keys rotate`: creates a new signing key. */
import { rotateSigningKeys } from '../../auth/load-rotate-and-reencrypt-stored-keys.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { createSecretsKeyCipher } from '../../secrets-key-cipher.ts';
import { createDatabaseCommand, UsageError } from '../command-types-and-usage-error.ts';
import { parseCommandArgs } from '../parse-command-args.ts';

function parseKeysArgs(args: readonly string[]) {
  const options = {
    revoke: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  } as const;
  const { values, positionals } = parseCommandArgs(args, options, ['rotate']);
  if (positionals[0] !== 'rotate') throw new UsageError('The only subcommand is "rotate".');
  return values;
}

export const keysCommand = createDatabaseCommand(parseKeysArgs, async ({ config, db, write }, values) => {
  if (config.signingKey !== undefined) {
    throw new OperatorError(
      'SIGNING_KEY is set: make it a JWK set with the new key first and the old key after it.',
    );
  }
  const kid = await rotateSigningKeys(db, values, createSecretsKeyCipher(config.secretsKeys));
  if (values.json) write(`${JSON.stringify({ kid, revoked: values.revoke })}\n`);
  else
    write(
      `New tokens are signed with ${kid}. Running processes use it at once${values.revoke ? ', and reject tokens of the old keys' : ''}.\n`,
    );
});
