/**
 * The reverse sides of references: a row has pages of the rows that refer to it. They follow from the features that are
 * served together, so the read models of a schema are copies.
 */
import { capital } from '../../../core/capital.ts'
import type { FieldAccess, GraphQLPart } from '../../../core/feature/field.ts'
import type { ReadModel, Relation } from '../../../database/read/read-model.ts'

/** @returns the same parts, with the reverse sides of the references of all lists */
export function withReverseRelations(parts: readonly GraphQLPart[]): readonly GraphQLPart[] {
  const reverses = reversesOf(parts)
  if (reverses.size === 0) return parts
  const copies = new Map<ReadModel, ReadModel>()
  const copyOf = (model: ReadModel): ReadModel => {
    const known = copies.get(model)
    if (known !== undefined) return known
    const relations = new Map<string, Relation>()
    // A key of its own: a service without the same features has another copy of the model (`statementOf`).
    const copy = { ...model, key: [...model.key], relations }
    copies.set(model, copy)
    for (const [name, relation] of [...model.relations, ...(reverses.get(model) ?? [])])
      relations.set(name, { ...relation, entity: copyOf(relation.entity) })
    return copy
  }
  return parts.map(({ queries = {}, mutations = {}, subscriptions = {} }) => ({
    queries: mapped(queries, (field) =>
      field.kind === 'object' ? field : { ...field, entity: copyOf(field.entity) },
    ),
    mutations: mapped(mutations, (field) =>
      field.kind === 'object' ? field : { ...field, entity: copyOf(field.entity) },
    ),
    subscriptions: mapped(subscriptions, (field) => ({ ...field, entity: copyOf(field.entity) })),
  }))
}

function mapped<F>(fields: Readonly<Record<string, F>>, change: (field: F) => F): Record<string, F> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field)]))
}

type Reverses = Map<ReadModel, Map<string, Relation>>

function reversesOf(parts: readonly GraphQLPart[]): Reverses {
  const reverses: Reverses = new Map()
  for (const [model, access] of listedModels(parts)) {
    const references = [...model.relations.values()].filter(({ reverse }) => reverse !== undefined)
    for (const reference of references) {
      const target = reference.entity
      const ofTarget = references.filter(({ entity }) => entity === target)
      const relations = reverses.get(target) ?? new Map<string, Relation>()
      const name = freeName(reference, ofTarget.length > 1, (each) =>
        [target.fields, target.relations, relations].some((taken) => taken.has(each)),
      )
      if (name === null) continue
      reverses.set(target, relations.set(name, reverseOf(reference, { name, model, access })))
    }
  }
  return reverses
}

/** Each model with the access of its list, which reading its rows through a reverse relation requires as well. */
function listedModels(parts: readonly GraphQLPart[]): Map<ReadModel, FieldAccess> {
  const fields = parts.flatMap(({ queries = {} }) => Object.values(queries))
  return new Map(
    fields.flatMap((field) =>
      field.kind === 'list' || field.kind === 'connection'
        ? [[field.entity, field.access ?? 'user'] as const]
        : [],
    ),
  )
}

/** `invoices`, or `invoicesByPayer` if there are several references or the name is taken. */
function freeName(
  { name, reverse = '' }: Relation,
  isOneOfSeveral: boolean,
  isTaken: (name: string) => boolean,
): string | null {
  const long = `${reverse}By${capital(name)}`
  return [...(isOneOfSeveral ? [] : [reverse]), long].find((each) => !isTaken(each)) ?? null
}

function reverseOf(
  { on, name: referring, permission }: Relation,
  { name, model, access }: { name: string; model: ReadModel; access: FieldAccess },
): Relation {
  return {
    name,
    kind: 'many',
    isPaged: true,
    entity: model,
    on: Object.fromEntries(Object.entries(on).map(([there, here]) => [here, there])),
    access,
    ...(permission !== undefined && { permission }),
    description: `Pages of the rows of which this is the ${referring}.`,
  }
}
