/** The rules of the specification, each fault with a code. */
import {
  type ASTVisitor,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  OverlappingFieldsCanBeMergedRule,
  ProvidedRequiredArgumentsRule,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  validate,
} from 'graphql'
import { codes, type Refusal, refuse } from '../error.ts'
import type { Limits } from './limits.ts'

export interface ValidationOptions {
  limits: Limits
  /** Whether the schema may be asked for: if not, no message gives away names of it either. */
  introspection: boolean
}

/** @returns what is wrong with the document; nothing for a valid one */
export function faultsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  options: ValidationOptions,
): GraphQLError[] {
  const { limits, introspection } = options
  const rules = introspection
    ? commonRules
    : [...commonRules, coded(NoSchemaIntrospectionCustomRule, 'introspection')]
  const limited = [...rules, fewDirectives(limits.directives)]
  const faults = validate(schema, document, limited, {
    maxErrors: limits.errors,
    hideSuggestions: !introspection,
  })
  return faults.map((fault) =>
    fault.extensions['code'] === undefined ? withCode(fault, 'validation') : fault,
  )
}

/** Without the one whose time grows with the square of the fields: `measureOperations` does its work. */
const commonRules = specifiedRules
  .filter((rule) => rule !== OverlappingFieldsCanBeMergedRule)
  .map((rule) => {
    if (rule === ValuesOfCorrectTypeRule) return coded(rule, 'value')
    return rule === ProvidedRequiredArgumentsRule ? coded(rule, 'nonNull') : rule
  })

function coded(rule: ValidationRule, refusal: Refusal): ValidationRule {
  return (context) => {
    const reporting: ValidationContext = Object.create(context, {
      reportError: { value: (error: GraphQLError) => context.reportError(withCode(error, refusal)) },
    })
    return rule(reporting)
  }
}

function withCode({ message, nodes, extensions }: GraphQLError, refusal: Refusal): GraphQLError {
  return new GraphQLError(message, {
    nodes: nodes ?? [],
    extensions: { ...extensions, code: codes[refusal] },
  })
}

function fewDirectives(most: number): ValidationRule {
  return (context): ASTVisitor => ({
    enter(node) {
      if (!('directives' in node) || (node.directives?.length ?? 0) <= most) return
      context.reportError(refuse('cost', `There may be ${most} directives in one place at most.`, [node]))
    },
  })
}
