/** What GraphQL reads of random entities stays within the limit of cost, or is refused. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type GraphQLField, type GraphQLObjectType, getNamedType, isObjectType } from 'graphql'
import { defaultLimits } from '../../../src/api/graphql/document/limits.ts'
import { createApi } from '../../../src/api/graphql/schema/schema.ts'
import { triesAll } from '../../support/run/extent.ts'
import { ofEach } from './lists.ts'
import { told, type World } from './world.ts'

/** Rows of each page, and how deep references and pages are followed. */
const usual = { size: 5, depth: 1 }
const sizes = triesAll ? [1, 10, 50] : [50]
const depths = triesAll ? [0, 1, 2] : [0, 2]

const chosen =
  'where: { createdAt: { gt: "2000-01-01T00:00:00.000Z" } }, order: [{ updatedAt: DESC }, { id: ASC }]'

export function costSuite(world: () => World): void {
  const schemaOf = () => createApi(world().definitions.map(({ entity }) => entity.graphql)).schema

  it('are read with filters, sorts, references and pages in rows, up to the limit of cost', async () => {
    const { owner } = world()
    const schema = schemaOf()
    const outcomes = new Set<string>()
    await ofEach(world(), async (definition, rows) => {
      const type = schema.getType(definition.type) as GraphQLObjectType // of its rows
      const [name = ''] = Object.keys(definition.entity.graphql.queries ?? {})
      for (const { size, depth } of [
        usual,
        ...sizes.flatMap((each) => depths.map((deep) => ({ size: each, depth: deep }))),
      ]) {
        const query = `{ ${name}(first: ${size}, ${chosen}) { totalCount nodes { ${membersOf(type, { size, depth })} } } }`
        const { body, text } = await owner.user.post('/graphql', { query })
        const isRefused = body.errors !== undefined
        outcomes.add(isRefused ? 'refused' : 'read')
        if (isRefused) {
          assert.match(text, /The operation costs \d+\. The maximum is 1000\./, told(definition, query, text))
          assert.notDeepEqual({ size, depth }, usual, told(definition, query, text))
          assert.equal(body.data ?? null, null)
        } else {
          const objects = objectsIn(body.data)
          assert.ok(objects <= defaultLimits.cost, told(definition, query, `${objects} objects`))
          assert.equal(body.data[name].nodes.length, Math.min(size, rows.length), told(definition, query))
        }
      }
    })
    assert.deepEqual([...outcomes].toSorted(), ['read', 'refused'])
  })

  it('are aggregated by any member, with every function, up to the limit of cost', async () => {
    const { owner } = world()
    const schema = schemaOf()
    await ofEach(world(), async (definition, rows) => {
      const type = schema.getType(`${definition.type}Aggregate`) as GraphQLObjectType // of its groups
      const name =
        Object.keys(definition.entity.graphql.queries ?? {}).find((each) => each.endsWith('Aggregate')) ?? ''
      const groupBy = schema
        .getQueryType()
        ?.getFields()
        [name]?.args.find((each) => each.name === 'groupBy')
      const fields = getNamedType(groupBy?.type) as unknown as { getValues(): readonly { name: string }[] } // an enumeration
      for (const { name: field } of fields.getValues()) {
        const query = `{ ${name}(groupBy: [${field}], first: 20) { ${membersOf(type, { size: 1, depth: 1 })} } }`
        const { body, text } = await owner.user.post('/graphql', { query })
        assert.equal(body.errors, undefined, told(definition, query, text))
        const groups = new Set(rows.map((row) => JSON.stringify(row[field])))
        assert.equal(body.data[name].length, Math.min(20, groups.size), told(definition, query, text))
      }
    })
  })
}

/** All members of a type, and those of what it refers to. */
function membersOf(type: GraphQLObjectType, reach: { size: number; depth: number }): string {
  return Object.values(type.getFields())
    .flatMap((field) => memberOf(field, reach))
    .join(' ')
}

function memberOf(
  { name, type }: GraphQLField<unknown, unknown>,
  { size, depth }: { size: number; depth: number },
): string[] {
  const named = getNamedType(type)
  if (!isObjectType(named)) return [name]
  if (depth === 0) return []
  const nodes = named.getFields()['nodes']
  const inner = nodes === undefined ? named : (getNamedType(nodes.type) as GraphQLObjectType) // rows
  const members = membersOf(inner, { size, depth: depth - 1 })
  if (members === '') return []
  return [
    nodes === undefined
      ? `${name} { ${members} }`
      : `${name}(first: ${size}, ${chosen}) { totalCount nodes { ${members} } }`,
  ]
}

function objectsIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + objectsIn(each), 0)
  if (typeof value !== 'object' || value === null) return 0
  return 1 + objectsIn(Object.values(value))
}
