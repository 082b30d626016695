/** Migrates a project: plans all rewrites, applies those that are possible, and compares the type errors before and after. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Project, QuoteKind, type SourceFile, ts } from 'ts-morph';
import { planFetchCalls } from './fetch-calls.ts';
import { applyReplacements, type Plan } from './migration-file.ts';
import { planOpenApiFetch, removeOpenApiImports, usesOpenApiFetch } from './openapi-fetch.ts';
import { planPackagedClient, usesPackagedClient } from './packaged-client.ts';
import type { CompileError, Finding, MigrationReport } from './report.ts';
import { findStrayPaths } from './stray-paths.ts';

export interface MigrationOptions {
  folder: string;
  /** Reports without changing files. */
  isDryRun: boolean;
}

/** Clients are rewritten in all files or in none: their calls share tokens and options. */
interface Group {
  plans: Plan[];
  files: SourceFile[];
  isWhole: boolean;
}

export async function migrateProject({ folder, isDryRun }: MigrationOptions): Promise<MigrationReport> {
  const root = resolve(folder);
  const project = openProject(root);
  const files = project.getSourceFiles().filter((file) => isOwnFile(file, root));
  if (files.length === 0)
    throw new Error(`${folder} has no source files, or its tsconfig.json includes none.`);
  const errorsBefore = new Set(typeErrorsOf(files, root).map(({ message, file }) => `${file} ${message}`));
  const openApi: Group = group(files, root, planOpenApiFetch, files.some(usesOpenApiFetch));
  const isOpenApiLeft = openApi.plans.some(({ finding }) => finding.reason !== undefined);
  const packaged: Group = group(
    files,
    root,
    (file) => planPackagedClient(file, root, isOpenApiLeft),
    files.some(usesPackagedClient),
  );
  const fetches: Group = { ...group(files, root, planFetchCalls, true), isWhole: false };
  const plans = [...settle(packaged), ...settle(openApi), ...settle(fetches)];
  const planned = plans.map(({ finding }) => finding);
  const plannedNodes = new Set(plans.map(({ node }) => node));
  const stray = files.flatMap((file) => findStrayPaths(file, root, plannedNodes));
  for (const file of files) {
    const replacements = plans.flatMap(({ replacement }) =>
      replacement?.node.getSourceFile() === file ? [replacement] : [],
    );
    if (replacements.length === 0) continue;
    project.manipulationSettings.set({ quoteKind: quoteKindOf(file) });
    applyReplacements(file, replacements);
    if (replacements.some(({ helpers }) => helpers.includes('createRestResultClient')))
      removeOpenApiImports(file);
  }
  const findings = [...planned, ...stray];
  const typeErrors = typeErrorsOf(files, root).filter(
    ({ message, file }) => !errorsBefore.has(`${file} ${message}`),
  );
  if (!isDryRun) await project.save();
  return { findings: findings.sort(byPosition), typeErrors };
}

function openProject(root: string): Project {
  const tsConfigFilePath = join(root, 'tsconfig.json');
  if (existsSync(tsConfigFilePath)) return new Project({ tsConfigFilePath });
  const project = new Project({
    compilerOptions: { allowJs: true, strict: true, moduleResolution: ts.ModuleResolutionKind.Bundler },
  });
  project.addSourceFilesAtPaths([`${root}/**/*.{ts,tsx,mts,js,jsx,mjs}`, `!${root}/**/node_modules/**`]);
  return project;
}

/** Quotes of most texts in the file. */
const quoteKindOf = (file: SourceFile) =>
  file.getFullText().split('"').length > file.getFullText().split("'").length
    ? QuoteKind.Double
    : QuoteKind.Single;

const isOwnFile = (file: SourceFile, root: string) =>
  file.getFilePath().startsWith(`${root}/`) &&
  !file.getFilePath().includes('/node_modules/') &&
  !file.isDeclarationFile();

const group = (
  files: readonly SourceFile[],
  root: string,
  plan: (file: SourceFile, root: string) => Plan[],
  isUsed: boolean,
): Group => ({
  files: [...files],
  plans: isUsed ? files.flatMap((file) => plan(file, root)) : [],
  isWhole: true,
});

/** If a call of a client cannot be rewritten, none of its calls is. */
function settle({ plans, isWhole }: Group): Plan[] {
  const blocking = plans.find(({ finding }) => finding.reason !== undefined)?.finding;
  if (!isWhole || !blocking) return plans;
  const reason = `the client is rewritten as a whole, and ${blocking.file}:${blocking.line} prevents it`;
  return plans.map(({ node, finding }) => ({
    node,
    finding: finding.reason === undefined ? { ...withoutOperation(finding), reason } : finding,
  }));
}

const withoutOperation = ({ operation: _, ...finding }: Finding): Finding => finding;

const typeErrorsOf = (files: readonly SourceFile[], root: string): CompileError[] =>
  files.flatMap((file) =>
    file.getPreEmitDiagnostics().map((diagnostic) => ({
      file: file.getFilePath().slice(root.length + 1),
      line: diagnostic.getLineNumber() ?? 1,
      message: ts.flattenDiagnosticMessageText(diagnostic.compilerObject.messageText, ' '),
    })),
  );

const byPosition = (left: Finding, right: Finding) =>
  left.file.localeCompare(right.file) || left.line - right.line;
