/**
 * Envelope encryption of secrets at rest. The keys of SECRETS_KEY encrypt the gateway's own keys in the database, one of which encrypts
 * all other secrets: rotating SECRETS_KEY re-encrypts only a handful of rows.
 */
import { createHash } from 'node:crypto';
import { decryptWithSecret, encryptWithSecret } from './lib/hash-encrypt-and-random-tokens.ts';
import { OperatorError } from './lib/operator-errors.ts';

export interface SecretsKeyCipher {
  /** Whether at least one key is configured. */
  readonly isEnabled: boolean;
  /** Encrypts with the first key; returns the text unchanged if there is no key. */
  encrypt(text: string): string;
  /** Throws if the key that encrypted the text is not configured. Plain text, stored before there was a key, is returned unchanged. */
  decrypt(text: string): string;
  /** Whether the text is encrypted with the first key, or plain if there is no key. */
  usesCurrentKey(text: string): boolean;
}

const envelope = /^sealed:([\w-]{11}):([\w-]+)$/;

/** The first key encrypts, all keys decrypt. */
export function createSecretsKeyCipher(keys: readonly Uint8Array[]): SecretsKeyCipher {
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  const [first] = keys;
  return {
    isEnabled: first !== undefined,
    encrypt: (text) => (first ? `sealed:${idOf(first)}:${encryptWithSecret(first, text)}` : text),
    decrypt(text) {
      const [, id, sealed] = envelope.exec(text) ?? [];
      if (id === undefined || sealed === undefined) return text;
      const key = byId.get(id);
      const opened = key && decryptWithSecret(key, sealed);
      if (opened === undefined) throw wrongKey(id);
      return opened;
    },
    usesCurrentKey: (text) => envelope.exec(text)?.[1] === (first && idOf(first)),
  };
}

/** Key id: a truncated hash, which reveals nothing about the key. */
const idOf = (key: Uint8Array) =>
  createHash('sha256').update('duet secrets key').update(key).digest('base64url').slice(0, 11);

const wrongKey = (id: string) =>
  new OperatorError(
    `SECRETS_KEY: the database contains secrets encrypted with the key ${id}, which is not configured. Append that key to the list.`,
  );

const keyBytes = 32;

/** Keys of 32 bytes in base64 or hex, separated by commas. Undefined if one of them is invalid. */
export function parseSecretsKeys(text: string): Uint8Array[] | undefined {
  const keys = text.split(',').map((part) => {
    const key = part.trim();
    return /^[0-9a-f]{64}$/i.test(key) ? Buffer.from(key, 'hex') : Buffer.from(key, 'base64');
  });
  return keys.every(({ length }) => length === keyBytes) ? keys : undefined;
}
