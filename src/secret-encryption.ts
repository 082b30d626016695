/**
 * Secrets at rest. The keys of SECRETS_KEY seal the gateway's own keys in the database, and one of those seals all other secrets:
 * to change SECRETS_KEY only a handful of rows is sealed anew.
 */
import { createHash } from 'node:crypto';
import { seal, unseal } from './lib/crypto.ts';
import { OperatorError } from './lib/operator-errors.ts';

export interface SecretCipher {
  /** Whether there is a key to seal with. */
  readonly isEnabled: boolean;
  /** Under the first key; as it is where there is none. */
  encrypt(text: string): string;
  /** Throws where the key is missing that it was sealed with. What was written before there was a key is read as it is. */
  decrypt(text: string): string;
  /** Whether it is sealed with the first key, or plain where there is none. */
  usesCurrentKey(text: string): boolean;
}

const envelope = /^sealed:([\w-]{11}):([\w-]+)$/;

/** The first key seals, all of them open. */
export function createSecretCipher(keys: readonly Uint8Array[]): SecretCipher {
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  const [first] = keys;
  return {
    isEnabled: first !== undefined,
    encrypt: (text) => (first ? `sealed:${idOf(first)}:${seal(first, text)}` : text),
    decrypt(text) {
      const [, id, sealed] = envelope.exec(text) ?? [];
      if (id === undefined || sealed === undefined) return text;
      const key = byId.get(id);
      const opened = key && unseal(key, sealed);
      if (opened === undefined) throw wrongKey(id);
      return opened;
    },
    usesCurrentKey: (text) => envelope.exec(text)?.[1] === (first && idOf(first)),
  };
}

/** Tells keys apart without telling anything about them. */
const idOf = (key: Uint8Array) =>
  createHash('sha256').update('duet secrets key').update(key).digest('base64url').slice(0, 11);

const wrongKey = (id: string) =>
  new OperatorError(
    `SECRETS_KEY: the database holds secrets that were sealed with the key ${id}, which is not in it. Add that key behind the others.`,
  );

const keyBytes = 32;

/** Keys of 32 bytes in base64 or hex, separated by commas. Undefined when one of them is none. */
export function parseSecretsKeys(text: string): Uint8Array[] | undefined {
  const keys = text.split(',').map((part) => {
    const key = part.trim();
    return /^[0-9a-f]{64}$/i.test(key) ? Buffer.from(key, 'hex') : Buffer.from(key, 'base64');
  });
  return keys.every(({ length }) => length === keyBytes) ? keys : undefined;
}
