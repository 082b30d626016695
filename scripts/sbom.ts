/** Software bill of materials (CycloneDX 1.6) of the gateway: the packages inside of the bundle, and those that it imports. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../src/lib/package-info.ts';
import { type PackageJson, readPackage, runtimePackages } from './external-packages.ts';

const packageUrl = ({ name, version }: PackageJson) =>
  `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`;

const toComponent = (type: 'application' | 'library', info: PackageJson) => ({
  type,
  'bom-ref': packageUrl(info),
  name: info.name,
  version: info.version,
  purl: packageUrl(info),
  // A choice such as "(MIT OR Apache-2.0)" is an expression, too.
  ...(typeof info.license === 'string' ? { licenses: [{ expression: info.license }] } : {}),
});

/** `bundled` are the folders of the packages inside of the bundle. */
export async function writeSbom(file: string, bundled: readonly string[]): Promise<void> {
  const imported = runtimePackages().map((folder) => join(packageRoot, folder));
  const components = new Map(
    [...bundled, ...imported]
      .map(readPackage)
      .map((info) => [packageUrl(info), toComponent('library', info)] as const),
  );
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: toComponent('application', readPackage(packageRoot)) },
    components: [...components.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
  };
  await writeFile(file, `${JSON.stringify(sbom, null, 2)}\n`);
}
