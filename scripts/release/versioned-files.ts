/** All files that contain the version of the packages, and the text around it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/lib/package-info.ts';

/** The group is the version. Each pattern matches at least once. */
const versionedFiles: Readonly<Record<string, readonly RegExp[]>> = {
  'package.json': [/^ {2}"version": "(.+?)"/gm],
  'package-lock.json': [
    /^ {2}"version": "(.+?)"/gm,
    /"name": "@duet-gateway\/server",\n {6}"version": "(.+?)"/g,
  ],
  'packages/client-graphql/package.json': [/^ {2}"version": "(.+?)"/gm],
  'packages/codegen-content/package.json': [/^ {2}"version": "(.+?)"/gm],
  'packages/client-rest/package.json': [/^ {2}"version": "(.+?)"/gm],
  'packages/client-rest/package-lock.json': [/"name": "@duet-gateway\/client-rest",\n +"version": "(.+?)"/g],
  'packages/migrate/package.json': [/^ {2}"version": "(.+?)"/gm],
  'packages/migrate/package-lock.json': [/"name": "@duet-gateway\/migrate",\n +"version": "(.+?)"/g],
  'examples/clients/package-lock.json': [/"name": "@duet-gateway\/client-rest",\n +"version": "(.+?)"/g],
  'examples/legacy-rest/package-lock.json': [
    /"name": "@duet-gateway\/client-(?:rest|graphql)",\n +"version": "(.+?)"/g,
  ],
  'examples/storefront-graphql/package-lock.json': [
    /"name": "@duet-gateway\/client-graphql",\n +"version": "(.+?)"/g,
  ],
  'compose.yaml': [/duet:(\d+\.\d+\.\d+)/g],
  Dockerfile: [/^ARG VERSION=(.+)$/gm],
  'docs/how-to/deploying.md': [/duet:(\d+\.\d+\.\d+)/g],
  'docs/tutorials/kubernetes.md': [/(?:duet:|image\.tag=)(\d+\.\d+\.\d+)/g],
  'docs/reference/commands.md': [/duet-gateway-server-(\d+\.\d+\.\d+)\.tgz/g],
  'ops/helm/duet/Chart.yaml': [/^version: (.+)$/gm, /^appVersion: (.+)$/gm],
};

/** Versions found in the files, as `file: version`. */
export function listVersions(): string[] {
  return Object.entries(versionedFiles).flatMap(([file, patterns]) => {
    const text = readFileSync(join(packageRoot, file), 'utf8');
    return patterns.flatMap((pattern) => {
      const found = [...text.matchAll(pattern)].map(([, version]) => `${file}: ${version}`);
      return found.length > 0 ? found : [`${file}: nothing matches ${pattern}`];
    });
  });
}

export function writeVersion(version: string): void {
  for (const [file, patterns] of Object.entries(versionedFiles)) {
    const path = join(packageRoot, file);
    const text = patterns.reduce(
      (text, pattern) => text.replace(pattern, (match, old: string) => match.replace(old, version)),
      readFileSync(path, 'utf8'),
    );
    writeFileSync(path, text);
  }
}
