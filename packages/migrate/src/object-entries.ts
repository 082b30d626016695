/** Properties of an object expression, as source texts by name. */
import { type Expression, Node, type Type } from 'ts-morph';

export interface Entry {
  name: string;
  /** Expression of the value. */
  text: string;
  type: Type;
  /** Value of a string literal. */
  literal?: string;
  /** Undefined if the value is read from a variable. */
  node?: Expression;
}

/** Thrown when a call cannot be rewritten; the message is the reason in the report. */
export class NotRewritable extends Error {}

/** Expressions that are safe to evaluate several times. */
const isPure = (expression: Expression): boolean =>
  Node.isIdentifier(expression) ||
  Node.isThisExpression(expression) ||
  (Node.isPropertyAccessExpression(expression) && isPure(expression.getExpression()));

/** Entries of an object literal or of a variable, whose properties are read by name. Later entries replace earlier ones. */
export function readEntries(expression: Expression, subject: string): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  const add = (entry: Entry) => entries.set(entry.name, entry);
  const inner = unwrap(expression);
  if (!Node.isObjectLiteralExpression(inner)) {
    for (const entry of propertiesOf(inner, subject)) add(entry);
    return entries;
  }
  for (const property of inner.getProperties()) {
    if (Node.isShorthandPropertyAssignment(property)) {
      const name = property.getName();
      add({ name, text: name, type: property.getNameNode().getType() });
    } else if (Node.isPropertyAssignment(property)) {
      const value = property.getInitializerOrThrow();
      const nameNode = property.getNameNode();
      if (Node.isComputedPropertyName(nameNode))
        throw new NotRewritable(`${subject} has a computed property`);
      const name = Node.isStringLiteral(nameNode) ? nameNode.getLiteralValue() : nameNode.getText();
      const literal = Node.isStringLiteral(value) ? { literal: value.getLiteralValue() } : {};
      add({ name, text: value.getText(), type: value.getType(), node: value, ...literal });
    } else if (Node.isSpreadAssignment(property)) {
      for (const entry of readEntries(property.getExpression(), subject).values()) add(entry);
    } else throw new NotRewritable(`${subject} has a method`);
  }
  return entries;
}

/** Value of a property of an object literal. Undefined if the object does not state it. */
export function readProperty(object: Node | undefined, name: string): Expression | undefined {
  const property = Node.isObjectLiteralExpression(object) ? object.getProperty(name) : undefined;
  if (Node.isPropertyAssignment(property)) return property.getInitializerOrThrow();
  return Node.isShorthandPropertyAssignment(property) ? property.getNameNode() : undefined;
}

/** The object literal of an optional argument, which states all its properties by name. */
export function readObject(argument: Node | undefined, subject: string): Expression | undefined {
  if (argument === undefined) return undefined;
  const inner = Node.isExpression(argument) ? unwrap(argument) : undefined;
  if (!Node.isObjectLiteralExpression(inner)) throw new NotRewritable(`${subject} not an object literal`);
  if (inner.getProperties().some((property) => Node.isSpreadAssignment(property)))
    throw new NotRewritable(`${subject} composed with a spread`);
  return inner;
}

/** `signal`, or `signal: controller.signal`. */
export const printProperty = (name: string, text: string): string =>
  name === text ? name : `${name}: ${text}`;

/** Removes parentheses, `as const` and `satisfies`. */
export function unwrap(expression: Expression): Expression {
  if (
    Node.isParenthesizedExpression(expression) ||
    Node.isAsExpression(expression) ||
    Node.isSatisfiesExpression(expression)
  )
    return unwrap(expression.getExpression());
  return expression;
}

function propertiesOf(expression: Expression, subject: string): Entry[] {
  if (!isPure(expression)) throw new NotRewritable(`${subject} is not an object literal or a variable`);
  const type = expression.getType().getNonNullableType();
  if (type.isAny() || type.isUnknown() || type.getStringIndexType() || type.isUnion())
    throw new NotRewritable(`${subject} has no properties that the compiler knows`);
  const access = expression.getType().isNullable() ? '?.' : '.';
  return type.getProperties().map((property) => {
    const name = property.getName();
    if (!/^[A-Za-z_$][\w$]*$/.test(name)) throw new NotRewritable(`${subject} has the property ${name}`);
    return {
      name,
      text: `${expression.getText()}${access}${name}`,
      type: property.getTypeAtLocation(expression),
    };
  });
}

/** Text of an object literal. */
export function printObject(entries: readonly { name: string; text: string }[]): string {
  if (entries.length === 0) return '{}';
  const parts = entries.map(({ name, text }) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return printProperty(key, text);
  });
  return `{ ${parts.join(', ')} }`;
}
