/** Writes the pages of docs/reference that follow from the sources: errors, permissions, events and command options. `--check` compares. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultRoles, permissionMeanings } from '../../src/auth/permissions-and-default-roles.ts';
import { commandsByName } from '../../src/cli/commands-by-name.ts';
import { formatCommandHelp } from '../../src/cli/format-help.ts';
import { detailCodes } from '../../src/detail-codes.ts';
import { errorCodeDescriptions, httpStatusByErrorCode } from '../../src/errors.ts';
import { webhookEvents } from '../../src/generated/domains/permissions-events-and-topics.ts';
import { packageRoot } from '../../src/lib/package-info.ts';
import { writeOrCheck } from '../write-or-check.ts';

interface Operation {
  requestBody?: { content: { 'application/json': { example?: { data?: object } } } };
}

interface OpenApi {
  webhooks: Record<string, { post: Operation }>;
}

const openApi = JSON.parse(readFileSync(join(packageRoot, 'schema', 'openapi.json'), 'utf8')) as OpenApi;

const code = (text: string | number) => `\`${text}\``;
const cell = (text: string) => text.replaceAll('|', '\\|');

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');

/** Breaks a list of words over lines of at most 130 columns. */
function wrapList(words: readonly string[], indent: string): string {
  const lines: string[] = [];
  let line = indent;
  for (const [index, word] of words.entries()) {
    const text = index === words.length - 1 ? word : `${word}, `;
    if (line.length + text.length > 130) {
      lines.push(line.trimEnd());
      line = indent.replace('-', ' ');
    }
    line += text;
  }
  return [...lines, line].join('\n');
}

const generatedFrom = (source: string) => `Written by \`npm run generate\` from ${code(source)}.`;

const errorsPage = () => `# Errors

Reference: the codes of errors in both protocols. REST has the code as \`error\`, GraphQL as \`extensions.code\`.
${generatedFrom('src/errors.ts')}
[The REST interface](interface.md#errors) describes the body, and [the GraphQL interface](graphql.md#errors) the typed errors.

## Error codes

${table(
  ['code', 'status', 'meaning'],
  Object.entries(httpStatusByErrorCode).map(([name, status]) => [
    code(name),
    String(status),
    errorCodeDescriptions[name as keyof typeof errorCodeDescriptions],
  ]),
)}

## Detail codes

Each item of \`details\` names a field and one of these codes. The list of codes that an operation can return is in the OpenAPI document and
in the descriptions of the GraphQL schema.

${table(
  ['code', 'meaning'],
  Object.entries(detailCodes).map(([name, meaning]) => [code(name), meaning]),
)}
`;

const permissionsPage = () => `# Permissions

Reference: what the permissions of roles and API keys allow. ${generatedFrom('src/domains/*/*permissions*.ts')}
[Accounts](accounts.md#roles) has the rules of roles, [invite staff](../how-to/manage-staff.md) the steps.

${table(
  ['permission', 'allows'],
  Object.entries(permissionMeanings).map(([name, meaning]) => [code(name), meaning]),
)}

A permission is checked in the business of the record, never in the one that a request names.

## Roles of a new business

${table(
  ['role', 'permissions'],
  defaultRoles.map(({ name, permissions }) => [code(name), permissions.map(code).join(', ')]),
)}
`;

const eventsPage = () => `# Events

Reference: webhook events, with the fields of their \`data\`. ${generatedFrom('src/domains/*/*webhook-events*.ts')}
[Webhooks](webhooks.md#events) explains the fields. \`webhooks\` in \`/v1/openapi.json\` has a schema for each type.

${Object.entries(webhookEvents)
  .map(([type, meaning]) => {
    const data = openApi.webhooks[type]?.post.requestBody?.content['application/json'].example?.data ?? {};
    return `## ${type}\n\n${meaning}\n\n${wrapList(Object.keys(data).map(code), '- ')}`;
  })
  .join('\n\n')}
`;

const commandsPage = () => `# Options of the commands

Reference: the help text of every \`duet\` command. ${generatedFrom('src/cli')}
[Commands](commands.md) explains what they do.

${[...commandsByName]
  .map(([name, entry]) => `## duet ${name}\n\n\`\`\`text\n${formatCommandHelp(entry).trimEnd()}\n\`\`\``)
  .join('\n\n')}
`;

const pages = {
  errors: errorsPage,
  permissions: permissionsPage,
  events: eventsPage,
  'command-options': commandsPage,
};

for (const [name, page] of Object.entries(pages))
  writeOrCheck(join(packageRoot, 'docs', 'reference', `${name}.md`), page());
