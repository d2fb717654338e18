/**
 * Protects members that only callers with a permission may read. Before a statement is made from a request,
 * `requireReadable` checks each member that the request names anywhere, even deep inside a filter.
 */
import type { RowReach } from '../row-reach.ts'
import { eachNamed, type Filter } from './filter.ts'
import type { SortKey } from './order.ts'
import type { ReadField, ReadModel, Relation } from './read-model.ts'
import type { Selection } from './selection.ts'

/** The caller may not read a member that the statement names. */
export class UnreadableMember extends Error {
  constructor({ name, anyOf }: Requirement) {
    super(`${name}: reading it requires the permission ${anyOf.join(' or ')}.`)
  }
}

/** The parts of a statement that name members. */
export interface NamedMembers {
  selections?: readonly Selection[]
  filter?: Filter
  order?: readonly SortKey[]
  fields?: readonly ReadField[]
}

/** A member that not every caller may read, and the permissions of which a caller needs one. */
export interface Requirement {
  name: string
  anyOf: readonly string[]
}

/** @throws UnreadableMember for a member that the caller may not read */
export function requireReadable(reach: RowReach | null, names: NamedMembers): void {
  if (reach === null || !reach.hidesMembers) return
  const hidden = hiddenIn(reach, names)
  if (hidden !== undefined) throw new UnreadableMember(hidden)
}

/** Whether the caller may read all members that the statement names. */
export function readsAll(reach: RowReach | null, names: NamedMembers): boolean {
  return reach === null || hiddenIn(reach, names) === undefined
}

function hiddenIn(reach: RowReach, names: NamedMembers): Requirement | undefined {
  return restrictedIn(names).find(({ anyOf }) => !anyOf.some((permission) => reach.may(permission)))
}

/** @returns a function that says whether the caller may read a member */
export function isReadable(reach: RowReach | null): (member: Named) => boolean {
  return ({ permission }) => permission === undefined || reach === null || reach.may(permission)
}

type Named = Pick<ReadField, 'name' | 'permission'>

/** @returns the members that a statement names and that not every caller may read */
export function restrictedIn({
  selections = [],
  filter,
  order = [],
  fields = [],
}: NamedMembers): Requirement[] {
  const found: Requirement[] = []
  const add = addTo(found)
  for (const selection of selections) found.push(...restrictedOf(selection))
  if (filter !== undefined) eachNamed(filter, add)
  addOrder(add, order)
  for (const field of fields) add(field)
  return found
}

/**
 * Whether reading the row that a relation refers to needs a further permission than reading the row with the
 * reference.
 */
export function guards({ kind, isShown, entity }: Relation): boolean {
  return kind === 'one' && isShown !== true && entity.readers !== undefined
}

type Add = (named: ReadField | Relation) => void

function addTo(found: Requirement[]): Add {
  return (named) => {
    const { name, permission } = named
    if (permission !== undefined) found.push({ name, anyOf: [permission] })
    if ('entity' in named && guards(named)) found.push({ name, anyOf: named.entity.readers ?? [] })
  }
}

/** The requirements of selections, which are created once and kept. */
const ofSelections = new WeakMap<Selection, readonly Requirement[]>()

function restrictedOf(selection: Selection): readonly Requirement[] {
  const known = ofSelections.get(selection)
  if (known !== undefined) return known
  const found: Requirement[] = []
  addSelection(addTo(found), selection)
  ofSelections.set(selection, found)
  return found
}

/** @returns the tables that a selection reads through relations, for what it shows and for what its filters test */
export function relatedTables(selection: Selection): ReadonlySet<string> {
  const tables = new Set<string>()
  addSelection((named) => {
    if ('entity' in named) tables.add(named.entity.table)
  }, selection)
  return tables
}

function addSelection(add: Add, selection: Selection): void {
  for (const selected of selection) {
    if (selected.kind === 'field') add(selected.field)
    if (selected.kind === 'relation') {
      add(selected.relation)
      addSelection(add, selected.selection)
    }
    if (selected.kind !== 'page') continue
    const { relation, filter, order, rows } = selected.page
    add(relation)
    eachNamed(filter, add)
    addOrder(add, order)
    addSelection(add, rows)
  }
}

function addOrder(add: Add, order: readonly SortKey[]): void {
  for (const { path, field } of order) {
    for (const relation of path) add(relation)
    add(field)
  }
}

interface Restricted {
  /** The permissions of the model's members, and of those in its lists. */
  permissions: readonly string[]
  /** The models that callers see, by the permissions that they have, one digit each. */
  views: Map<string, ReadModel>
}

const known = new WeakMap<ReadModel, Restricted>()

/** @returns the model with the members that the caller may read; callers with the same permissions share one object */
export function readableModel(model: ReadModel, reach: RowReach | null): ReadModel {
  if (reach === null || !reach.hidesMembers) return model
  let restricted = known.get(model)
  if (restricted === undefined) {
    restricted = { permissions: [...new Set(permissionsIn(model))], views: new Map() }
    known.set(model, restricted)
  }
  const { permissions, views } = restricted
  if (permissions.length === 0) return model
  let key = ''
  for (const permission of permissions) key += reach.may(permission) ? '1' : '0'
  if (!key.includes('0')) return model
  let view = views.get(key)
  if (view === undefined) {
    view = viewOf(model, isReadable(reach))
    views.set(key, view)
  }
  return view
}

function permissionsIn({ fields, relations }: ReadModel): string[] {
  const own = [...fields.values(), ...relations.values()].flatMap(({ permission }) => permission ?? [])
  return [...own, ...listsOf(relations).flatMap(({ entity }) => permissionsIn(entity))]
}

function listsOf(relations: ReadModel['relations']): Relation[] {
  return [...relations.values()].filter(({ kind, isPaged }) => kind === 'many' && isPaged !== true)
}

function viewOf(model: ReadModel, reads: (named: Named) => boolean): ReadModel {
  const lists = new Set(listsOf(model.relations))
  const relations = [...model.relations].filter(([, relation]) => reads(relation))
  return {
    ...model,
    fields: new Map([...model.fields].filter(([, field]) => reads(field))),
    relations: new Map(
      relations.map(([name, relation]) => [
        name,
        lists.has(relation) ? { ...relation, entity: viewOf(relation.entity, reads) } : relation,
      ]),
    ),
  }
}
