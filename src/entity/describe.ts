/** The description of an entity for programs that do not know it in advance, such as the console. */

import { wholeSchema } from '../api/openapi/schema.ts'
import { defined } from '../core/defined.ts'
import type { EntityDraft } from '../core/feature/entity-description.ts'
import { hasBulk } from './bulk/route.ts'
import type { Child, Member } from './definition.ts'
import type { Operation } from './operation.ts'
import type { EntityParts } from './parts.ts'
import { actionSummary } from './rest.ts'

/** @param sorted names of members with an index @param subscriptions names of GraphQL fields */
export function describe(
  parts: EntityParts,
  { sorted, subscriptions }: { sorted: readonly string[]; subscriptions: readonly string[] },
): EntityDraft {
  const { names, shape, search, hints } = parts
  const { name, plural, label, labels, translations } = names
  const searched = new Set(search.map((member) => member.name))
  const hintsOfField = (member: string) => {
    const widget = hints.widgets.get(member)
    return { ...(widget !== undefined && { widget }), ...(searched.has(member) && { isSearched: true }) }
  }
  return {
    name,
    plural,
    label,
    labels,
    description: shape.description,
    title: hints.title ?? titleOf(shape.members),
    defaultColumns: [...hints.columns],
    isSearched: search.length > 0,
    sortedBy: [...sorted],
    fields: [
      ...shape.members.map((member) => ({
        ...scalarOf(member),
        ...hintsOfField(member.name),
        fields: [],
      })),
      ...shape.children.map(listOf),
    ],
    operations: operationsOf(parts),
    actions: actionsOf(parts),
    isLive: parts.isLive,
    hasRights: parts.isRuledByOperation,
    hasBulk: hasBulk(parts),
    hasHistory: parts.history !== null,
    trashDays: parts.history?.trashDays ?? null,
    subscriptions: [...subscriptions],
    console: hints.console,
    translations,
  }
}

const methods = { list: 'GET', get: 'GET', create: 'POST', change: 'PATCH', delete: 'DELETE' } as const

function operationsOf({ names, access, offered }: EntityParts): EntityDraft['operations'] {
  const described = Object.entries(methods).map(([operation, method]) => {
    const path = operation === 'list' || operation === 'create' ? names.path : `${names.path}/:id`
    return [operation, { method, path, access: access.operations[operation as Operation] }] as const // of `methods`
  })
  return Object.fromEntries(described.filter(([operation]) => offered.has(operation as Operation))) // of `methods`
}

function actionsOf({ names, access, actions, hints }: EntityParts): EntityDraft['actions'] {
  return Object.entries(actions).map(([name, action]) => ({
    name,
    method: 'POST',
    path: `${names.path}/:id/${name}`,
    access: access.actions[name] ?? access.operations.write,
    summary: actionSummary(names, name, action.summary),
    from: Object.fromEntries(
      Object.entries(action.from ?? {}).map(([member, value]) => [member, [value].flat()]),
    ),
    to: { ...action.to },
    input: action.input === undefined ? null : wholeSchema(action.input),
    ...defined({ console: hints.actions.get(name) }),
  }))
}

type Scalar = Omit<EntityDraft['fields'][number], 'fields'>

function scalarOf({ name, field, spec, schema }: Member): Scalar {
  const { kind, presence, isNullable, description = null } = spec
  const isReference = kind === 'reference'
  return {
    name,
    kind,
    description,
    isNullable,
    isRequired: presence === 'required',
    isReadOnly: presence === 'readOnly' || presence === 'computed',
    relation: isReference ? field : null,
    entity: isReference ? (spec.target?.().name ?? (spec.isUser === true ? 'user' : null)) : null,
    fileTypes: [...(spec.file?.types ?? [])],
    defaultValue: spec.fallback?.value ?? null,
    schema: wholeSchema(schema),
  }
}

function listOf({ name, spec, members }: Child): EntityDraft['fields'][number] {
  const { presence, description = null } = spec
  return {
    name,
    kind: 'many',
    description,
    isNullable: false,
    relation: null,
    entity: null,
    fileTypes: [],
    defaultValue: null,
    isRequired: presence === 'required',
    isReadOnly: presence === 'readOnly' || presence === 'computed',
    schema: wholeSchema(spec.schema),
    fields: members.map(scalarOf),
  }
}

/** @returns the member that titles a row: one with a usual name for it, or else the first number or text */
export function titleOf(all: readonly Member[]): string {
  const readByAll = all.filter(({ rule }) => rule.read === undefined)
  const members = readByAll.length === 0 ? all : readByAll
  const named = ['name', 'title', 'number', 'label', 'subject'].find((each) =>
    members.some(({ name }) => name === each),
  )
  const text = members.find(({ spec }) => spec.kind === 'sequence' || spec.kind === 'text')
  return named ?? text?.name ?? 'id'
}
