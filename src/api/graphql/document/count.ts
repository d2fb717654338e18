/** Counts the nodes of a document before it is validated, which takes some microseconds for each. */
import { type DefinitionNode, type DocumentNode, Kind, type SelectionSetNode } from 'graphql'
import { refuse } from '../error.ts'
import type { Limits } from './limits.ts'

/**
 * Counts a document as it is written, without spreading its fragments.
 * @throws GraphQLError for too many operations and fragments, fields, aliases, directives or variables
 */
export function refuseTooManyNodes({ definitions }: DocumentNode, limits: Limits): void {
  if (definitions.length > limits.definitions) {
    throw refuse('cost', `A document may have at most ${limits.definitions} operations and fragments.`)
  }
  const counter = new DocumentCounter(limits)
  for (const definition of definitions) countDefinition(definition, counter)
}

/** Counts fields and aliases: as the document writes them, or again with fragments spread. */
export class DocumentCounter {
  readonly #limits: Limits
  #fields = 0
  #aliases = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** @throws GraphQLError when there are too many */
  readonly count = ({ alias }: { alias?: unknown }): void => {
    const { fields, aliases } = this.#limits
    if (++this.#fields > fields) throw refuse('cost', `A document may select at most ${fields} fields.`)
    if (alias !== undefined && ++this.#aliases > aliases) {
      throw refuse('cost', `A document may have at most ${aliases} aliases.`)
    }
  }

  countDirectives(node: { directives?: readonly unknown[] | undefined }): void {
    const { directives } = this.#limits
    if ((node.directives?.length ?? 0) <= directives) return
    throw refuse('cost', `One node may have at most ${directives} directives.`)
  }

  countVariables(variables: readonly unknown[]): void {
    if (variables.length <= this.#limits.variables) return
    throw refuse('cost', `An operation may have at most ${this.#limits.variables} variables.`)
  }
}

function countDefinition(definition: DefinitionNode, counter: DocumentCounter): void {
  counter.countDirectives(definition)
  if (definition.kind === Kind.OPERATION_DEFINITION) {
    const { variableDefinitions = [] } = definition
    counter.countVariables(variableDefinitions)
    for (const variable of variableDefinitions) counter.countDirectives(variable)
  }
  if ('selectionSet' in definition) countSelections(definition.selectionSet, counter)
}

function countSelections({ selections }: SelectionSetNode, counter: DocumentCounter): void {
  for (const selection of selections) {
    counter.countDirectives(selection)
    if (selection.kind === Kind.FIELD) counter.count(selection)
    if ('selectionSet' in selection && selection.selectionSet !== undefined) {
      countSelections(selection.selectionSet, counter)
    }
  }
}
