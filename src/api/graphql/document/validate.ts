/** Validates a document against the rules of the specification. Each fault has a code. */
import {
  type ASTVisitor,
  type DocumentNode,
  type FloatValueNode,
  GraphQLError,
  type GraphQLSchema,
  type IntValueNode,
  NoSchemaIntrospectionCustomRule,
  OverlappingFieldsCanBeMergedRule,
  ProvidedRequiredArgumentsRule,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  validate,
} from 'graphql'
import { inexact } from '../../../core/schema/exact-json.ts'
import { isExactNumber } from '../../../core/schema/exact-number.ts'
import { codes, type GraphQLRefusal } from '../error.ts'
import { type Limits, maxSuggestedLength } from './limits.ts'

export interface ValidationOptions {
  limits: Limits
  /** Whether introspection is allowed; if not, messages reveal no names of the schema. */
  introspection: boolean
}

/** @returns the faults of the document; none for a valid one */
export function faultsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  options: ValidationOptions,
): GraphQLError[] {
  const { limits, introspection } = options
  const rules = introspection
    ? commonRules
    : [...commonRules, withErrorCode(NoSchemaIntrospectionCustomRule, 'introspection')]
  const faults = validate(schema, document, rules, {
    maxErrors: limits.errors,
    hideSuggestions: !introspection || isLong(document),
  })
  return faults.map((fault) =>
    fault.extensions['code'] === undefined ? withCode(fault, 'validation') : fault,
  )
}

/** Omits the rule whose time grows with the square of the number of fields: `measureOperations` replaces it. */
const commonRules = specifiedRules
  .filter((rule) => rule !== OverlappingFieldsCanBeMergedRule)
  .map((rule) => {
    if (rule === ValuesOfCorrectTypeRule) return withErrorCode(rule, 'value')
    return rule === ProvidedRequiredArgumentsRule ? withErrorCode(rule, 'nonNull') : rule
  })
  .concat(exactNumbersRule)

/** Refuses numbers that JavaScript would not keep exactly, as they are refused in JSON. */
function exactNumbersRule(context: ValidationContext): ASTVisitor {
  const check = (node: IntValueNode | FloatValueNode): void => {
    if (isExactNumber(node.value)) return
    context.reportError(withCode(new GraphQLError(inexact(node.value), { nodes: node }), 'value'))
  }
  return { IntValue: check, FloatValue: check }
}

function withErrorCode(rule: ValidationRule, refusal: GraphQLRefusal): ValidationRule {
  return (context) => {
    const reporting: ValidationContext = Object.create(context, {
      reportError: { value: (error: GraphQLError) => context.reportError(withCode(error, refusal)) },
    })
    return rule(reporting)
  }
}

function withCode({ message, nodes, extensions }: GraphQLError, refusal: GraphQLRefusal): GraphQLError {
  return new GraphQLError(message, {
    nodes: nodes ?? [],
    extensions: { ...extensions, code: codes[refusal] },
  })
}

/** A long document gets no suggestions: the time of one grows with the length of the name, for each known name. */
function isLong({ loc }: DocumentNode): boolean {
  return loc !== undefined && loc.end > maxSuggestedLength
}
