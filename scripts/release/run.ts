/**
 * `npm run release -- version | pack | notes | publish`: the steps of a release, see CONTRIBUTING.md. `publish` is for the CI of a tag,
 * whose identity npm signs as the provenance of the packages.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot, packageVersion } from '../../src/lib/package-info.ts';
import { runProgram } from '../run-program.ts';
import { addRelease, nextVersion, readChangesets, releaseNotes } from './changesets.ts';
import { findPackageProblems, type PackedPackage, packPackages } from './packages.ts';
import { writeVersion } from './versioned-files.ts';

const changelogFile = join(packageRoot, 'CHANGELOG.md');
const changesetFolder = join(packageRoot, '.changeset');

const usage = `Usage: npm run release -- STEP

  version [VERSION]  write the next version, or this one, into all files, and
                     move the changesets to the changelog
  pack               write the tarballs to dist/packages, and check them
  notes [VERSION]    print the release notes of this version, or another
  publish            pack, and publish with provenance; for the CI of a tag
`;

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

/** Writes the next version into all files, moves the changesets to the changelog, and prints the contracts again. */
async function writeNextVersion(version?: string): Promise<void> {
  const changesets = readChangesets(changesetFolder);
  const next = version ?? nextVersion(packageVersion, changesets);
  if (!/^\d+\.\d+\.\d+$/.test(next)) fail(`${next} is no version such as 1.2.3.`);
  writeFileSync(changelogFile, addRelease(readFileSync(changelogFile, 'utf8'), next, changesets));
  writeVersion(next);
  for (const { file } of changesets) rmSync(file);
  await runProgram('tsx', 'scripts/generate.ts');
  console.log(
    `Version ${next}. Run "npx tsx test/upgrades/write.ts ${next}", commit, and tag the commit v${next}.`,
  );
}

function packChecked(): PackedPackage[] {
  const packages = packPackages(join(packageRoot, 'dist', 'packages'));
  const problems = packages.flatMap((packed) => findPackageProblems(packed, packageVersion));
  if (problems.length > 0) fail(problems.join('\n'));
  for (const { tarball, size, unpackedSize, files } of packages)
    console.log(
      `${tarball}: ${files.length} files, ${Math.ceil(size / 1024)} KB, ${Math.ceil(unpackedSize / 1024)} KB unpacked`,
    );
  return packages;
}

function publish(): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: packageRoot, encoding: 'utf8' }).trim();
  if (git('status', '--porcelain') !== '') fail('Commit everything first.');
  if (!git('tag', '--points-at', 'HEAD').split('\n').includes(`v${packageVersion}`))
    fail(`Tag this commit v${packageVersion} first.`);
  if (readChangesets(changesetFolder).length > 0) fail('Run "npm run release -- version" first.');
  for (const { tarball } of packChecked())
    execFileSync('npm', ['publish', tarball, '--provenance', '--access', 'public'], { stdio: 'inherit' });
}

const [step, argument] = process.argv.slice(2);
if (step === '--help' || step === '-h' || step === 'help') process.stdout.write(usage);
else if (step === 'version') await writeNextVersion(argument);
else if (step === 'pack') packChecked();
else if (step === 'notes') {
  const version = argument ?? packageVersion;
  console.log(
    releaseNotes(readFileSync(changelogFile, 'utf8'), version) ?? fail(`CHANGELOG.md lacks ${version}.`),
  );
} else if (step === 'publish') publish();
else {
  process.stderr.write(step === undefined ? usage : `There is no step ${step}.\n\n${usage}`);
  process.exitCode = 2;
}
