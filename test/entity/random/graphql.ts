/** GraphQL reads of random entities what the oracle finds, page by page in both directions. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { createApi } from '../../../src/api/graphql/schema/schema.ts'
import { type AnyRequest, anyRequest } from '../../support/graphql/any-request.ts'
import { type Row as ReadRow, select } from '../../support/graphql/oracle.ts'
import type { Member } from './definition.ts'
import { ofEach } from './lists.ts'
import { anyRow, type Row } from './rows.ts'
import { told, type World } from './world.ts'

/** @param requests for each entity */
export function graphqlSuite(world: () => World, requests: number): void {
  it('are found in GraphQL by filters of every form, in any order', async () => {
    const { definitions, owner, stored, seed } = world()
    const { schema } = createApi(definitions.map(({ entity }) => entity.graphql))
    const related = withRelations(world())
    await ofEach(world(), ({ entity, type, path }, rows) => {
      const [name = ''] = Object.keys(entity.graphql.queries ?? {})
      const all = rows.map(({ id }) => related.get(String(id)) as ReadRow) // each is there
      const query = `query ($where: ${type}FilterInput, $order: [${type}SortInput!], $last: Int, $before: String) {
        ${name}(where: $where, order: $order, last: $last, before: $before) {
          totalCount nodes { id } pageInfo { hasPreviousPage startCursor }
        }
      }`
      const property = fc.asyncProperty(
        anyRequest(entity.model, all, schema),
        async (request: AnyRequest) => {
          const found: unknown[] = []
          const expected = select(entity.model, all, request.where, request.order).map(({ id }) => id)
          for (let before: string | null = null; ; ) {
            const variables: object = { ...request, last: 9, before }
            const { body, text } = await owner.user.post('/graphql', { query, variables })
            assert.equal(body.errors, undefined, `${path} ${JSON.stringify(request)} ${text}`)
            const { totalCount, nodes, pageInfo } = body.data[name]
            assert.equal(totalCount, expected.length)
            found.unshift(...nodes.map(({ id }: Row) => id))
            if (!pageInfo.hasPreviousPage) break
            before = pageInfo.startCursor
          }
          assert.deepEqual(found, expected, `${path} ${JSON.stringify(request)}`)
        },
      )
      assert.ok(stored.has(path))
      return fc.assert(property, { numRuns: requests, seed })
    })
  })

  it('have the same members in GraphQL as over REST, and are made with the same input', () =>
    ofEach(world(), async (definition, [row = {}]) => {
      const {
        owner: { user },
        stored,
        seed,
      } = world()
      const { entity, type, members, path } = definition
      const { model } = entity
      const fields = Object.keys(row).filter((name) => model.fields.has(name))
      const lists = members.filter(({ kind }) => kind === 'many')
      const item = (toId: boolean) => `{ label amount day isOpen ${toId ? 'toId' : ''} }`
      const shown = `{ ${[...fields, ...lists.map(({ name, target }) => `${name} ${item(target !== null)}`)].join(' ')} }`
      const one = `query ($id: UUID!) { ${entity.name}(id: $id) ${shown} }`
      const read = await user.post('/graphql', { query: one, variables: { id: row['id'] } })
      assert.deepEqual(read.body.data?.[entity.name], row, told(definition, read.text))

      const inputs = fc.sample(anyRow(definition, stored), { numRuns: 60, seed: seed + 4 })
      const query = `mutation ($input: Create${type}Input!) { create${type}(input: $input) ${shown} }`
      for (const input of inputs) {
        const { body, text } = await user.post('/graphql', { query, variables: { input } })
        const made = body.data?.[`create${type}`]
        const rest = await user.post(path, input)
        if (made === undefined) {
          assert.equal(
            rest.text,
            JSON.stringify({ message: body.errors[0].message }),
            told(definition, input),
          )
          continue
        }
        assert.deepEqual((await user.get(`${path}/${made.id}`)).body, made, told(definition, text))
        const gone = await user.post('/graphql', {
          query: `mutation { delete${type}(id: "${made.id}") ${shown} }`,
        })
        assert.deepEqual(gone.body.data, { [`delete${type}`]: made })
        if (rest.status === 201) await user.delete(`${path}/${rest.body.id}`)
        break
      }
    }))
}

/** Rows with those that their references lead to, by their ids. */
function withRelations({ definitions, stored }: World): ReadonlyMap<string, ReadRow> {
  const all = new Map<string, ReadRow>()
  for (const rows of stored.values())
    for (const row of rows) all.set(String(row['id']), { ...row } as ReadRow) // of scalars and lists
  const at = (id: unknown) => (id === null ? null : (all.get(String(id)) ?? null))
  for (const { path, members } of definitions)
    for (const { id } of stored.get(path) ?? []) relate(all.get(String(id)) as ReadRow, members, at) // set above
  return all
}

function relate(row: ReadRow, members: readonly Member[], at: (id: unknown) => ReadRow | null): void {
  for (const { name, field, kind, target } of members) {
    if (kind === 'reference') row[field] = at(row[name])
    if (kind !== 'many') continue
    const items = row[name] as ReadRow[] // a list
    row[name] = items.map((item) => (target === null ? item : { ...item, to: at(item['toId']) }))
  }
}
