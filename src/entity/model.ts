/** The read model of an entity: what lists, pages and GraphQL can read from its tables. */

import { Type } from 'typebox'
import { capital } from '../core/capital.ts'
import {
  maxBytesOfText,
  type ReadField,
  type ReadModel,
  type Relation,
  readModel,
} from '../database/read/read-model.ts'
import type { TenantTables } from '../database/tenant-tables.ts'
import type { Child, Member, Names, Shape } from './definition.ts'
import { fileSchemas } from './file.ts'
import { maxJsonBytes } from './row.ts'
import { maxUserName, nameOfUser, userNames } from './user-reference.ts'

/** The read model of an entity that a reference names; it may be declared later in its file. */
export type ModelOf = (member: Member) => ReadModel

interface ModelOptions {
  /** Names of members with an index. */
  sorted: readonly string[]
  /** The permissions of which a caller needs one to read a row through a reference to it; `null` for none. */
  readers: readonly string[] | null
  targetOf: ModelOf
}

export function modelOf(names: Names, shape: Shape, { sorted, readers, targetOf }: ModelOptions): ReadModel {
  const { members, children, row, description } = shape
  const isNeverNull = (name: string) => members.find((each) => each.name === name)?.spec.isNullable !== true
  const listed = new Set([...children.map(({ name }) => name), ...Object.keys(fileSchemas(members))])
  const flat = Object.entries(row.properties).filter(([name]) => !listed.has(name))
  const model = readModel(Type.Object(Object.fromEntries(flat), { $id: names.type, description }), {
    table: names.table as keyof TenantTables, // declared by the entity
    indexes: sorted.filter(isNeverNull).map((name) => [name]), // an order by a nullable member does not use its index
    json: jsonOf(members),
    folded: caseFoldedOf(members),
  })
  const relations = new Map<string, Relation>()
  for (const member of members) addReference(relations, member, { targetOf, reverse: names.plural })
  for (const child of children) {
    relations.set(child.name, {
      name: child.name,
      kind: 'many',
      entity: childModel(child, targetOf),
      on: { [child.parentColumn]: 'id' },
      max: child.maxItems,
      ...permissionOf(child),
      description: child.spec.description ?? null,
    })
  }
  const fields = marked(model.fields, members)
  return { ...model, fields, relations, ...namesOf(members), ...(readers !== null && { readers }) }
}

/** Marks the members that name users, and the members that not every caller may read. */
function marked(fields: ReadModel['fields'], members: readonly Member[]): ReadModel['fields'] {
  const byName = new Map(members.map((member) => [member.name, member]))
  return new Map(
    [...fields].map(([name, field]) => {
      const member = byName.get(name)
      if (member === undefined) return [name, field]
      return [
        name,
        { ...field, ...permissionOf(member), ...(member.spec.isUser === true && { isUser: true }) },
      ]
    }),
  )
}

function permissionOf({ rule: { read } }: Pick<Member, 'rule'>): { permission?: string } {
  return read === undefined ? {} : { permission: read }
}

function childModel({ table, parentColumn, members, typeName }: Child, targetOf: ModelOf): ReadModel {
  const schema = Type.Object(Object.fromEntries(members.map(({ name, schema: own }) => [name, own])), {
    $id: typeName,
  })
  const model = readModel(schema, {
    table: table as keyof TenantTables, // declared by the entity
    key: { [parentColumn]: 'uuid', position: 'integer' },
    json: jsonOf(members),
  })
  const relations = new Map<string, Relation>()
  for (const member of members) addReference(relations, member, { targetOf })
  return { ...model, fields: marked(model.fields, members), relations, ...namesOf(members) }
}

/** The names of users that the row shows. */
function namesOf(members: readonly Member[]): Pick<ReadModel, 'userNames'> {
  const shown = members.filter(({ spec }) => spec.isUser === true && spec.isShown === true)
  if (shown.length === 0) return {}
  return { userNames: new Map(shown.map((member) => [nameOfUser(member), userName(member)])) }
}

function userName(member: Member): ReadField {
  return {
    name: nameOfUser(member),
    column: member.column,
    kind: 'text',
    isNullable: true,
    completed: userNames,
    maxBytes: maxBytesOfText(maxUserName),
    caseFoldedColumn: null,
    values: [],
    ...permissionOf(member),
    description: `The name of the user that \`${member.name}\` names, if there is one`,
  }
}

function jsonOf(members: readonly Member[]): Record<string, number> {
  const names = members
    .filter(({ spec }) => spec.kind === 'json')
    .map(({ name }) => [name, maxJsonBytes] as const)
  return Object.fromEntries(names)
}

function caseFoldedOf(members: readonly Member[]): Record<string, string> {
  return Object.fromEntries(
    members.flatMap(({ name, caseFoldedColumn }) =>
      caseFoldedColumn === null ? [] : [[name, caseFoldedColumn] as const],
    ),
  )
}

/** @param reverse the name under which a referenced row has the rows that refer to it */
function addReference(
  relations: Map<string, Relation>,
  member: Member,
  { targetOf, reverse }: { targetOf: ModelOf; reverse?: string },
): void {
  const { field, column, spec } = member
  if (spec.target === undefined) return
  relations.set(field, {
    name: field,
    kind: 'one',
    get entity() {
      return targetOf(member)
    },
    on: { id: column },
    ...(reverse !== undefined && { reverse }),
    ...permissionOf(member),
    ...(spec.isShown === true && { isShown: true }),
    description: `${spec.description ?? capital(field)}${spec.isNullable ? ', if any' : ''}`,
  })
}
