/** The operations of a prepared document: finds them by name, reads their variables, and caches their plans. */
import {
  type DirectiveNode,
  type DocumentNode,
  GraphQLError,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getDirectiveValues,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql'
import { LruMap } from '../../../database/lru-map.ts'
import { writtenDefaults } from '../argument/order.ts'
import { variableReader } from '../argument/variables.ts'
import { refuse } from '../error.ts'
import type { Api } from '../schema/schema.ts'
import type { Collecting } from './collect.ts'
import { maxSuggestedLength } from './limits.ts'
import type { ParsedDocument } from './parse.ts'
import { planOperation, type Root } from './plan.ts'
import type { ValidationOptions } from './validate.ts'
import { type GivenVariables, measureVariables, type Variables } from './variables.ts'

const maxPlans = 8

/** A refused request: nothing was executed. */
export class Refused extends Error {
  readonly errors: readonly GraphQLError[]

  constructor(errors: readonly GraphQLError[]) {
    super(errors[0]?.message ?? 'refused')
    this.errors = errors
  }
}

export class PreparedDocument {
  readonly #operations: ReadonlyMap<string, PreparedOperation>
  /** The only operation of the document; `null` if there are several. */
  readonly #only: PreparedOperation | null

  constructor(api: Api, parsed: ParsedDocument, options: ValidationOptions) {
    this.#operations = new Map(
      parsed.operations.map((node) => [
        node.name?.value ?? '',
        new PreparedOperation(api, node, parsed, options),
      ]),
    )
    const [first, ...others] = this.#operations.values()
    this.#only = first === undefined || others.length > 0 ? null : first
  }

  /** @throws Refused when the name, or its absence, does not identify an operation */
  operation(name: string | null): PreparedOperation {
    const found = (name === null ? this.#only : null) ?? this.#operations.get(name ?? '')
    if (found !== undefined) return found
    const text =
      name === null
        ? 'The document has several operations: name one.'
        : `The document has no operation "${name}".`
    throw new Refused([refuse('operation', text)])
  }
}

/** An operation with the variables of a request. */
export interface Invocation extends GivenVariables {
  operation: PreparedOperation
}

export class PreparedOperation {
  readonly node: OperationDefinitionNode
  readonly document: DocumentNode
  readonly fragments: ParsedDocument['fragments']
  readonly #api: Api
  readonly #options: ValidationOptions
  /** The variables of `@skip` and `@include`, on which the plan depends. Found when the operation is first run. */
  #conditions: readonly string[] | null = null
  readonly #plans = new LruMap<string, Root[]>(maxPlans)
  #read: ReturnType<typeof variableReader> | null = null
  /** `null` without defaults, `undefined` before the first use. */
  #defaults: Variables | null | undefined

  constructor(
    api: Api,
    node: OperationDefinitionNode,
    { document, fragments }: ParsedDocument,
    options: ValidationOptions,
  ) {
    this.#api = api
    this.node = node
    this.document = document
    this.fragments = fragments
    this.#options = options
  }

  get kind(): 'query' | 'mutation' | 'subscription' {
    return this.node.operation
  }

  /**
   * @param given variables as the client sent them
   * @throws Refused for too many values, or values of other types
   */
  invocation(given: Variables): Invocation {
    const variables = this.#variables(given)
    if (this.#defaults === undefined) this.#defaults = writtenDefaults(this.node.variableDefinitions ?? [])
    const written = this.#defaults === null ? given : { ...this.#defaults, ...given }
    return { operation: this, variables, written }
  }

  #variables(given: Variables): Variables {
    const definitions = this.node.variableDefinitions ?? []
    if (definitions.length === 0) return {}
    const { limits, introspection } = this.#options
    const tooMuch = measureVariables(given, limits)
    if (tooMuch !== null) throw new Refused([tooMuch])
    this.#read ??= variableReader(this.#api.schema, definitions)
    const plain = this.#read(given)
    if (plain !== undefined) return plain
    // Faults contain the value, and suggestions take a time that grows with the length of names.
    const isLong = JSON.stringify(given).length > maxSuggestedLength
    const { coerced, errors } = getVariableValues(this.#api.schema, definitions, given, {
      maxErrors: isLong ? 1 : limits.errors,
      hideSuggestions: !introspection || isLong,
    })
    if (errors === undefined) return coerced
    throw new Refused(errors.map(({ message, nodes = [] }) => refuse(refusalOf(message), message, nodes)))
  }

  /** @throws Refused for a subscription to pages of related rows */
  roots(variables: Variables): Root[] {
    this.#conditions ??= conditionsIn([this.node, ...this.fragments.values()])
    const key = this.#conditions.map((name) => `${variables[name] === true}`).join()
    const known = this.#plans.peek(key)
    if (known !== undefined) return known
    const roots = this.#plan(variables)
    this.#plans.set(key, roots)
    return roots
  }

  #plan(variables: Variables): Root[] {
    try {
      return planOperation(this.#api, this.node, this.collecting(variables))
    } catch (error) {
      throw error instanceof GraphQLError ? new Refused([error]) : error
    }
  }

  /** @returns what `collectFields` needs: the fragments, and what `@skip` and `@include` leave with these variables */
  collecting(variables: Variables): Collecting {
    return { fragments: this.fragments, includes: (directives) => includes(directives, variables) }
  }
}

/** Reads the message of the library, which alone distinguishes a missing value from one of another type. */
function refusalOf(message: string): 'nonNull' | 'value' {
  return /^Variable "\$\w+" of (required|non-null) type /.test(message) ? 'nonNull' : 'value'
}

function includes(directives: readonly DirectiveNode[] | undefined, variables: Variables): boolean {
  if (directives === undefined || directives.length === 0) return true
  if (getDirectiveValues(GraphQLSkipDirective, { directives }, variables)?.['if'] === true) return false
  return getDirectiveValues(GraphQLIncludeDirective, { directives }, variables)?.['if'] !== false
}

function conditionsIn(nodes: readonly Parameters<typeof visit>[0][]): string[] {
  const names = new Set<string>()
  for (const node of nodes) {
    visit(node, {
      Directive: ({ arguments: args = [] }) => {
        for (const { value } of args) if (value.kind === Kind.VARIABLE) names.add(value.name.value)
      },
    })
  }
  return [...names]
}
