/** Keeps uploaded files and what is made of them, under keys such as `<business>/<file>/original`. */
import { type Readable, Transform } from 'node:stream';

/** A store that speaks the protocol of Amazon S3. */
export interface S3Options {
  endpoint: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
}

/** The first and the last byte, counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface MediaStore {
  /** Resolves once the whole file is kept, and rejects when it has not as many bytes as were said. Every key is put once. */
  put(key: string, body: Readable, about: { size: number; type: string }): Promise<void>;
  /** Undefined: there is none. Whoever gets a body reads or destroys it. */
  get(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Everything whose key begins with this and a slash. What is gone already is as good as removed. */
  removeAll(prefix: string): Promise<void>;
}

const part = /^[a-z0-9][a-z0-9_.-]{0,199}$/;

/** Keys are made by us alone; one that could lead elsewhere is a fault of ours. */
export function requireMediaKey(key: string): string {
  const parts = key.split('/');
  if (parts.length > 4 || !parts.every((one) => part.test(one))) throw new Error('This is no key of a file.');
  return key;
}

/** Lets through exactly so many bytes. */
export function createExactSizeStream(size: number): Transform {
  let left = size;
  const wrong = () => new Error(`The file does not have ${size} bytes.`);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      done(left < 0 ? wrong() : null, chunk);
    },
    flush: (done) => done(left === 0 ? null : wrong()),
  });
}
