/** Writes the pages of docs/reference that follow from the sources: GraphQL root fields, errors, permissions, events and command options. `--check` compares. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, type GraphQLField, type GraphQLObjectType } from 'graphql';
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

const schema = buildSchema(readFileSync(join(packageRoot, 'schema', 'schema.graphql'), 'utf8'), {
  assumeValid: true,
});

const pageArgNames = new Set(['after', 'before', 'first', 'last']);

/** Arguments, type and description of a root field, as an item of a list. `…page` stands for the arguments of a page. */
function rootFieldItem({ name, args, type, description }: GraphQLField<unknown, unknown>): string {
  const parameters = args
    .filter((arg) => arg.deprecationReason == null && !pageArgNames.has(arg.name))
    .map((arg) => `${arg.name}: ${arg.type}`);
  if (args.some((arg) => pageArgNames.has(arg.name))) parameters.push('…page');
  const signature = parameters.length > 0 ? `${name}(${parameters.join(', ')}): ${type}` : `${name}: ${type}`;
  return wrapText(`- ${code(signature)}: ${description?.replaceAll(/\s+/g, ' ')}`);
}

/** Breaks an item of a list over lines of at most 130 columns. */
function wrapText(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line.length + word.length > 130) {
      lines.push(line);
      line = ` `;
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line].join('\n');
}

function rootFieldsSection(title: string, type: GraphQLObjectType | null | undefined): string {
  const fields = Object.values(type?.getFields() ?? {})
    .filter(({ deprecationReason }) => deprecationReason == null)
    .sort((a, b) => a.name.localeCompare(b.name));
  return `## ${title}\n\n${fields.map(rootFieldItem).join('\n')}`;
}

const graphqlFieldsPage = () => `# GraphQL queries and mutations

Reference: every root field with its arguments and type. ${generatedFrom('schema/schema.graphql')}
Deprecated names are omitted; \`…page\` stands for \`first\`, \`after\`, \`last\` and \`before\`.
GraphiQL at \`/graphql\` has the fields of every type, and [the GraphQL interface](graphql.md) the rules that apply to all of them.
Every mutation also returns \`errors\` and \`result\`
([errors](graphql.md#errors)).

${rootFieldsSection('Queries', schema.getQueryType())}

${rootFieldsSection('Mutations', schema.getMutationType())}

${rootFieldsSection('Subscriptions', schema.getSubscriptionType())}
`;

const pages = {
  'graphql-fields': graphqlFieldsPage,
  errors: errorsPage,
  permissions: permissionsPage,
  events: eventsPage,
  'command-options': commandsPage,
};

for (const [name, page] of Object.entries(pages))
  writeOrCheck(join(packageRoot, 'docs', 'reference', `${name}.md`), page());
