/** Port of the store for uploaded files and their resized versions, under keys such as `<business>/<file>/original`. */
import { type Readable, Transform } from 'node:stream';

/** Connection to an S3-compatible store. */
export interface S3Options {
  endpoint: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
}

/** First and last byte, inclusive, counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface MediaStore {
  /** `isPrivate`: not a public file; only the system account of the gateway may read it. Resolves when the whole file is stored; rejects if its length differs from `size`. Every key is written once. */
  put(key: string, body: Readable, about: { size: number; type: string; isPrivate?: boolean }): Promise<void>;
  /** Undefined: no such file. The caller must read or destroy the stream. */
  get(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Deletes all files whose key starts with the prefix and a slash. Missing files are not an error. */
  removeAll(prefix: string): Promise<void>;
}

const part = /^[a-z0-9][a-z0-9_.-]{0,199}$/;

/** Returns the key, or throws if it is malformed. Keys are created by the gateway, so a malformed key (such as a path traversal) is a bug. */
export function requireMediaKey(key: string): string {
  const parts = key.split('/');
  if (parts.length > 4 || !parts.every((name) => part.test(name))) throw new Error('Invalid media key.');
  return key;
}

/** Transform stream that fails unless exactly `size` bytes pass through. */
export function createExactSizeStream(size: number): Transform {
  let remaining = size;
  const sizeError = () => new Error(`The file does not have ${size} bytes.`);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      remaining -= chunk.length;
      done(remaining < 0 ? sizeError() : null, chunk);
    },
    flush: (done) => done(remaining === 0 ? null : sizeError()),
  });
}
