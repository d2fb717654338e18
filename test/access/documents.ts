/** Every way to ask GraphQL: each field, filter operator, order, group and page that the schema has for the application. */
import {
  GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql'
import type { ReadWay } from './lists.ts'
import type { Row, World } from './oracle.ts'
import type { Pick } from './pick.ts'

interface Asked {
  pick: Pick
  world: World
}

type Document = (asked: Asked) => string

/** @param entity of the fields @returns by the names of the schema */
export function documentWays(schema: GraphQLSchema, entity: string): ReadWay[] {
  const query = schema.getQueryType()?.getFields() ?? {}
  return Object.values(query).flatMap((root) => {
    const { name: type } = getNamedType(root.type)
    const named = capital(entity)
    if (type === named) return oneWays(schema, root, entity)
    if (type === `${named}Connection`) return connectionWays(schema, root, entity)
    if (type === `${named}Aggregate`) return aggregateWays(schema, root, entity)
    return []
  })
}

function wayOf(name: string, entity: string, document: Document): ReadWay {
  return {
    name,
    entity,
    ask: (pick, world) => ({ method: 'POST', path: '/graphql', body: { query: document({ pick, world }) } }),
  }
}

function oneWays(schema: GraphQLSchema, { name }: { name: string }, entity: string): ReadWay[] {
  const type = objectOf(schema, capital(entity))
  return [
    wayOf(`Query.${name}`, entity, ({ pick, world }) => {
      const id = pick(idsOf(world, entity))
      return `{ ${name}(id: "${id}") { id ${fieldOf(type, pick(Object.keys(type.getFields())), { pick, world })} } }`
    }),
  ]
}

function connectionWays(schema: GraphQLSchema, { name }: { name: string }, entity: string): ReadWay[] {
  const type = objectOf(schema, capital(entity))
  const filter = inputOf(schema, `${capital(entity)}FilterInput`)
  const sort = inputOf(schema, `${capital(entity)}SortInput`)
  const way = (path: string, document: Document) => wayOf(`Query.${name} ${path}`, entity, document)
  return [
    way(
      'first',
      ({ pick }) =>
        `{ ${name}(first: ${pick([1, 2, 50])}) { totalCount edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
    ),
    way(
      'last',
      ({ pick }) =>
        `{ ${name}(last: ${pick([1, 2, 50])}) { totalCount nodes { id } pageInfo { hasPreviousPage startCursor } } }`,
    ),
    ...['after', 'before'].map((argument) =>
      way(argument, ({ pick, world }) => {
        const cursor = Buffer.from(JSON.stringify([pick(idsOf(world, entity))])).toString('base64url')
        const first = argument === 'after' ? 'first' : 'last'
        return `{ ${name}(${first}: 3, ${argument}: "${cursor}") { nodes { id } pageInfo { hasNextPage hasPreviousPage } } }`
      }),
    ),
    ...Object.values(type.getFields()).map((field) => ({
      ...way(
        `field ${field.name}`,
        (asked) => `{ ${name}(first: 20) { nodes { id ${fieldOf(type, field.name, asked)} } } }`,
      ),
      ...(isObjectType(getNamedType(field.type)) && { isForAll: true as const }),
    })),
    ...filterPaths(filter).map((path) =>
      way(`where ${path}`, (asked) => {
        const found = asked.pick(['totalCount', 'totalCount nodes { id }', 'nodes { id }'])
        return `{ ${name}(first: 20, where: ${whereOf(filter, path, asked)}) { ${found} } }`
      }),
    ),
    ...Object.keys(sort.getFields()).map((member) =>
      way(`order ${member}`, (asked) => {
        const page = asked.pick(['first: 20', 'first: 2', 'last: 3'])
        return `{ ${name}(${page}, order: ${orderOf(sort, member, asked)}) { nodes { id } pageInfo { startCursor endCursor } } }`
      }),
    ),
  ]
}

function aggregateWays(schema: GraphQLSchema, { name }: { name: string }, entity: string): ReadWay[] {
  const groups = schema.getType(`${capital(entity)}GroupField`)
  const filter = inputOf(schema, `${capital(entity)}FilterInput`)
  const type = objectOf(schema, `${capital(entity)}Aggregate`)
  const way = (path: string, document: Document) => wayOf(`Query.${name} ${path}`, entity, document)
  const members = groups instanceof GraphQLEnumType ? groups.getValues().map((value) => value.name) : []
  return [
    way('count', () => `{ ${name} { count } }`),
    way(
      'where',
      (asked) => `{ ${name}(where: ${whereOf(filter, asked.pick(filterPaths(filter)), asked)}) { count } }`,
    ),
    ...members.map((member) =>
      way(`groupBy ${member}`, ({ pick }) => {
        const order = pick(['', ', order: { count: DESC }', `, order: { key: { ${member}: DESC } }`])
        return `{ ${name}(groupBy: [${member}]${order}) { count ${pick(['', `key { ${member} }`])} } }`
      }),
    ),
    ...['sum', 'avg', 'min', 'max'].flatMap((figure) => {
      const field = type.getFields()[figure]
      const of = field === undefined ? null : getNamedType(field.type)
      return of === null || !isObjectType(of)
        ? []
        : Object.keys(of.getFields()).map((member) =>
            way(`${figure} ${member}`, ({ pick }) => {
              const [by, order] = pick([
                ['', ''],
                ['groupBy: [id]', `, order: { ${figure}: { ${member}: DESC } }, first: 3`],
              ] as const)
              return by === ''
                ? `{ ${name} { count ${figure} { ${member} } } }`
                : `{ ${name}(${by}${order}) { count key { id } ${figure} { ${member} } } }`
            }),
          )
    }),
  ]
}

/** A member, or a part of the rows that it leads to. */
function fieldOf(type: GraphQLObjectType, name: string, asked: Asked): string {
  const field = type.getFields()[name]
  if (field === undefined) throw new Error(`There is no ${type.name}.${name}.`)
  const inner = getNamedType(field.type)
  if (!isObjectType(inner)) return name
  if (inner.name.endsWith('Connection')) return pageOf(field, inner, asked)
  return `${name} { ${deeper(inner, asked, 1)} }`
}

function deeper(type: GraphQLObjectType, { pick, world }: Asked, depth: number): string {
  const own = Object.values(type.getFields())
  const scalars = own.filter(({ type: of }) => !isObjectType(getNamedType(of)))
  const related = own.filter(({ type: of, args }) => isObjectType(getNamedType(of)) && args.length === 0)
  const plain = `${type.getFields()['id'] === undefined ? '' : 'id '}${pick(scalars).name}`
  if (depth === 0 || related.length === 0) return plain
  const field = pick(related)
  const inner = getNamedType(field.type) as GraphQLObjectType // by the filter
  return `${plain} ${field.name} { ${deeper(inner, { pick, world }, depth - 1)} }`
}

function pageOf(
  { name, args }: GraphQLField<unknown, unknown>,
  connection: GraphQLObjectType,
  asked: Asked,
): string {
  const { pick } = asked
  const nodes = connection.getFields()['nodes']
  const node = nodes === undefined ? null : getNamedType(nodes.type)
  const filter = args.find((each) => each.name === 'where')?.type
  const where = filter === undefined ? null : getNamedType(filter)
  if (!isObjectType(node) || !isInputObjectType(where)) throw new Error(`${name} is no page.`)
  const sort = pick(['id', 'createdAt'])
  const given = pick([
    'first: 2',
    `first: 3, order: { ${sort}: DESC }`,
    `last: 2, order: { ${sort}: ASC }`,
    `first: 4, where: ${whereOf(where, pick(filterPaths(where)), asked)}`,
  ])
  return `${name}(${given}) { totalCount nodes { ${deeper(node, asked, 1)} } pageInfo { hasNextPage endCursor } }`
}

/** `title.eq`, `client.name`, `comments.some`. */
function filterPaths(filter: GraphQLInputObjectType): string[] {
  return Object.values(filter.getFields()).flatMap(({ name, type }) => {
    if (name === 'and' || name === 'or') return [name]
    const inner = getNamedType(type)
    if (!isInputObjectType(inner)) return []
    return Object.keys(inner.getFields())
      .filter((each) => each !== 'and' && each !== 'or')
      .map((each) => `${name}.${each}`)
  })
}

function whereOf(filter: GraphQLInputObjectType, path: string, asked: Asked): string {
  const [member = '', chosen] = path.split('.')
  if (member === 'and' || member === 'or')
    return `{ ${member}: [${anyWhere(filter, asked, 1)}, ${anyWhere(filter, asked, 0)}] }`
  return `{ ${member}: ${conditionOf(filter, member, asked, { chosen, depth: 2 })} }`
}

function anyWhere(filter: GraphQLInputObjectType, asked: Asked, depth: number): string {
  const members = Object.keys(filter.getFields()).filter((name) => {
    const type = inputAt(filter, name)
    return name !== 'and' && name !== 'or' && (depth > 0 || isOperations(type))
  })
  const member = asked.pick(members)
  return `{ ${member}: ${conditionOf(filter, member, asked, { depth })} }`
}

/** @param chosen the operator, the quantifier, or the member of the related row */
function conditionOf(
  filter: GraphQLInputObjectType,
  member: string,
  asked: Asked,
  { chosen, depth }: { chosen?: string | undefined; depth: number },
): string {
  const { pick, world } = asked
  const inner = inputAt(filter, member)
  if (isOperations(inner)) {
    const operators = Object.keys(inner.getFields()).filter((name) => name !== 'and' && name !== 'or')
    const operator = chosen ?? pick(operators)
    const type = inner.getFields()[operator]?.type
    if (type === undefined) throw new Error(`There is no ${inner.name}.${operator}.`)
    const entity = lower(filter.name.replace('FilterInput', ''))
    const value = () => literalOf(getNamedType(type).name, valuesOf(world, entity, member), pick)
    return `{ ${operator}: ${isListType(type) ? `[${value()}, ${value()}]` : value()} }`
  }
  if (inner.name.startsWith('List')) {
    const quantifier = chosen ?? pick(Object.keys(inner.getFields()))
    if (quantifier === 'any') return `{ any: ${pick([true, false])} }`
    return `{ ${quantifier}: ${anyWhere(inputAt(inner, quantifier), asked, depth - 1)} }`
  }
  if (chosen === undefined) return anyWhere(inner, asked, depth - 1)
  return `{ ${chosen}: ${conditionOf(inner, chosen, asked, { depth: depth - 1 })} }`
}

function inputAt(filter: GraphQLInputObjectType, member: string): GraphQLInputObjectType {
  const field = filter.getFields()[member]
  const type = field === undefined ? null : getNamedType(field.type)
  if (!isInputObjectType(type)) throw new Error(`${filter.name}.${member} is no filter.`)
  return type
}

function isOperations({ name }: GraphQLInputObjectType): boolean {
  return name.endsWith('OperationFilterInput')
}

function orderOf(sort: GraphQLInputObjectType, member: string, asked: Asked): string {
  const field = sort.getFields()[member]
  const inner = field === undefined ? null : getNamedType(field.type)
  if (!isInputObjectType(inner)) return `{ ${member}: ${asked.pick(['ASC', 'DESC'])} }`
  const scalars = Object.values(inner.getFields()).filter(
    ({ type }) => !isInputObjectType(getNamedType(type)),
  )
  return `{ ${member}: ${orderOf(inner, asked.pick(scalars).name, asked)} }`
}

/** A value of the type that some row has, or none. */
function literalOf(type: string, values: readonly unknown[], pick: Pick): string {
  const value = values.length === 0 ? null : pick(values)
  if (value === null) return 'null'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return /Stage$|State$|Face$/.test(type) ? String(value) : JSON.stringify(value)
}

function valuesOf(world: World, entity: string, member: string): unknown[] {
  const lists = (world['ticket'] ?? []).flatMap((row) => row['lines'] as readonly Row[])
  const rows = entity === 'ticketLine' ? lists : (world[entity] ?? [])
  return rows.map((row) => row[member] ?? null).filter((value) => value !== null)
}

function idsOf(world: World, entity: string): string[] {
  return [...(world[entity] ?? []).map(({ id }) => id), '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11']
}

function objectOf(schema: GraphQLSchema, name: string): GraphQLObjectType {
  const type = schema.getType(name)
  if (!isObjectType(type)) throw new Error(`There is no type ${name}.`)
  return type
}

function inputOf(schema: GraphQLSchema, name: string): GraphQLInputObjectType {
  const type = schema.getType(name)
  if (!isInputObjectType(type)) throw new Error(`There is no input ${name}.`)
  return type
}

function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

function lower(name: string): string {
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`
}
