/** Documents made ready once, for every transport: parsed, validated, measured, planned. */
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
import { LruMap } from '../../database/lru-map.ts'
import { variableReader } from '../argument/variables.ts'
import { refuse } from '../error.ts'
import type { Api } from '../schema/schema.ts'
import type { Collecting } from './collect.ts'
import type { Limits } from './limits.ts'
import { measureOperations } from './measure.ts'
import { type ParsedDocument, parseDocument } from './parse.ts'
import { planOperation, type Root } from './plan.ts'
import { faultsOf } from './validate.ts'

export type Variables = Record<string, unknown>

/** Documents that are kept ready, and how many characters they may have together. */
const mostDocuments = 1000
const longestKept = 10_000

export class Documents {
  readonly #api: Api
  readonly #limits: Limits
  readonly #introspection: boolean
  readonly #ready = new LruMap<string, ReadyDocument>(mostDocuments)

  constructor(api: Api, options: { limits: Limits; introspection: boolean }) {
    this.#api = api
    this.#limits = options.limits
    this.#introspection = options.introspection
  }

  /** @throws GraphQLError[] what is wrong with the document */
  prepare(text: string): ReadyDocument {
    const known = this.#ready.get(text)
    if (known !== undefined) return known
    const document = this.#make(text)
    if (text.length <= longestKept) this.#ready.set(text, document)
    return document
  }

  #make(text: string): ReadyDocument {
    try {
      const parsed = parseDocument(text, this.#limits)
      const options = { limits: this.#limits, introspection: this.#introspection }
      const faults = faultsOf(this.#api.schema, parsed.document, options)
      if (faults.length > 0) throw new Refused(faults)
      measureOperations(parsed, this.#limits)
      return new ReadyDocument(this.#api, parsed)
    } catch (error) {
      throw error instanceof GraphQLError ? new Refused([error]) : error
    }
  }
}

/** A request that is not begun: nothing of it was executed. */
export class Refused extends Error {
  readonly errors: readonly GraphQLError[]

  constructor(errors: readonly GraphQLError[]) {
    super(errors[0]?.message ?? 'refused')
    this.errors = errors
  }
}

export class ReadyDocument {
  readonly #operations: ReadonlyMap<string, ReadyOperation>

  constructor(api: Api, parsed: ParsedDocument) {
    this.#operations = new Map(
      parsed.operations.map((node) => [node.name?.value ?? '', new ReadyOperation(api, node, parsed)]),
    )
  }

  /** @throws Refused when the name, or its absence, does not say which one is meant */
  operation(name: string | null): ReadyOperation {
    const [only, ...others] = this.#operations.values()
    const found = name === null && others.length === 0 ? only : this.#operations.get(name ?? '')
    if (found !== undefined) return found
    const text =
      name === null
        ? 'The document has several operations: name one.'
        : `The document has no operation "${name}".`
    throw new Refused([refuse('operation', text)])
  }
}

export class ReadyOperation {
  readonly node: OperationDefinitionNode
  readonly document: DocumentNode
  readonly fragments: ParsedDocument['fragments']
  readonly #api: Api
  /** Variables that `@skip` and `@include` ask for: the plan depends on them. */
  readonly #conditions: readonly string[]
  readonly #plans = new Map<string, Root[]>()
  readonly #read: ReturnType<typeof variableReader>

  constructor(api: Api, node: OperationDefinitionNode, { document, fragments }: ParsedDocument) {
    this.#api = api
    this.node = node
    this.document = document
    this.fragments = fragments
    this.#conditions = conditionsIn([node, ...fragments.values()])
    this.#read = variableReader(api.schema, node.variableDefinitions ?? [])
  }

  get kind(): 'query' | 'mutation' | 'subscription' {
    return this.node.operation
  }

  /** @throws Refused for values that are not of the types that the operation gives its variables */
  variables(given: Variables): Variables {
    const plain = this.#read(given)
    if (plain !== undefined) return plain
    const definitions = this.node.variableDefinitions ?? []
    const { coerced, errors } = getVariableValues(this.#api.schema, definitions, given, {
      maxErrors: mostErrors,
    })
    if (errors === undefined) return coerced
    throw new Refused(errors.map((error) => refuse('value', error.message, error.nodes ?? [])))
  }

  roots(variables: Variables): Root[] {
    const key = this.#conditions.map((name) => `${variables[name] === true}`).join()
    const known = this.#plans.get(key)
    if (known !== undefined) return known
    const roots = planOperation(this.#api, this.node, this.collecting(variables))
    if (this.#plans.size < mostPlans) this.#plans.set(key, roots)
    return roots
  }

  collecting(variables: Variables): Collecting {
    return { fragments: this.fragments, includes: (directives) => includes(directives, variables) }
  }
}

const mostErrors = 5
const mostPlans = 16

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
