/** Validation of @defer and @stream: lists, labels and counts. */
import {
  type ASTVisitor,
  type DirectiveNode,
  GraphQLError,
  getNullableType,
  isListType,
  Kind,
  type ValidationContext,
  type ValidationRule,
  type ValueNode,
} from 'graphql';
import { isIncrementalDirective } from '../execute/incremental/defer-and-stream-directives.ts';

const argumentOf = ({ arguments: nodes = [] }: DirectiveNode, name: string): ValueNode | undefined =>
  nodes.find((argument) => argument.name.value === name)?.value;

function listsRule(context: ValidationContext): ASTVisitor {
  return {
    Directive(node) {
      const field = context.getFieldDef();
      if (node.name.value === 'stream' && field && !isListType(getNullableType(field.type)))
        context.reportError(
          new GraphQLError(`@stream needs a list, and ${field.name} is not one.`, { nodes: node }),
        );
    },
  };
}

function argumentsRule(context: ValidationContext): ASTVisitor {
  const labels = new Set<string>();
  return {
    Directive(node) {
      if (!isIncrementalDirective(node)) return;
      const label = argumentOf(node, 'label');
      const initialCount = argumentOf(node, 'initialCount');
      const message =
        label && label.kind !== Kind.STRING && label.kind !== Kind.NULL
          ? 'A label must be a string in the document.'
          : label?.kind === Kind.STRING && labels.has(label.value)
            ? `The label "${label.value.slice(0, 100)}" is used more than once.`
            : initialCount?.kind === Kind.INT && Number(initialCount.value) < 0
              ? 'initialCount must be at least 0.'
              : undefined;
      if (label?.kind === Kind.STRING) labels.add(label.value);
      if (message !== undefined) context.reportError(new GraphQLError(message, { nodes: node }));
    },
  };
}

export const incrementalDirectiveValidationRules: readonly ValidationRule[] = [listsRule, argumentsRule];
