/** ETags of the form `"<version>-<hash>"`: version of the record and hash of the response body. */
import { hash } from 'node:crypto';

export function etagOf(body: unknown, text: string): string {
  const digest = hash('sha1', text, 'base64url').slice(0, 16);
  const version = (body as { version?: unknown } | null)?.version;
  return typeof version === 'number' ? `"${version}-${digest}"` : `"${digest}"`;
}

/** Whether `If-None-Match` contains this tag; weak and strong tags compare equal. */
export function ifNoneMatchIncludes(header: string, etag: string): boolean {
  return header.trim() === '*' || tagsOf(header).includes(etag);
}

/** Versions are 32-bit integers. */
const maxVersion = 2 ** 31 - 1;

/** The distinct versions in `If-Match`; -1, which no record has, for a tag of another format. */
export function parseIfMatchVersions(header: string | undefined): number[] {
  if (header === undefined || header.trim() === '*') return [];
  return [...new Set(tagsOf(header).map(versionOf))];
}

function versionOf(tag: string): number {
  const version = /^"(\d+)(?:-[\w-]+)?"$/.exec(tag)?.[1];
  return version === undefined || Number(version) > maxVersion ? -1 : Number(version);
}

const tagsOf = (header: string) => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
