/** Collects the fields of selection sets by result name, as the specification merges them (section 6.3.2). */
import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'

export interface CollectedField {
  /** The name of the field in the result: its alias, or its name if it has no alias. */
  as: string
  name: string
  /** All occurrences in the document. */
  nodes: FieldNode[]
}

export interface Collecting {
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** Whether `@skip` and `@include` include a selection. */
  includes(directives: readonly DirectiveNode[] | undefined): boolean
  /** Called with each occurrence of a field. @throws GraphQLError when there are too many */
  count?(node: FieldNode): void
}

/** @param sets of one object, whose type is that of every fragment: there are no unions and no interfaces */
export function collectFields(sets: readonly SelectionSetNode[], collecting: Collecting): CollectedField[] {
  const fields = new Map<string, CollectedField>()
  const visited = new Set<string>()
  for (const { selections } of sets) add(selections, { fields, visited, collecting })
  return [...fields.values()]
}

/** The selections on the objects of a field. */
export function innerSets({ nodes }: CollectedField): SelectionSetNode[] {
  return nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
}

interface CollectState {
  fields: Map<string, CollectedField>
  visited: Set<string>
  collecting: Collecting
}

function add(selections: readonly SelectionNode[], found: CollectState): void {
  const { fields, visited, collecting } = found
  for (const selection of selections) {
    if (!collecting.includes(selection.directives)) continue
    if (selection.kind === Kind.FIELD) {
      collecting.count?.(selection)
      addField(selection, fields)
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      add(selection.selectionSet.selections, found)
    } else {
      const { value: name } = selection.name
      const fragment = collecting.fragments.get(name)
      if (fragment === undefined || visited.has(name)) continue
      visited.add(name)
      add(fragment.selectionSet.selections, found)
    }
  }
}

function addField(node: FieldNode, fields: Map<string, CollectedField>): void {
  const { value: name } = node.name
  const as = node.alias?.value ?? name
  const known = fields.get(as)
  if (known === undefined) fields.set(as, { as, name, nodes: [node] })
  else known.nodes.push(node)
}
