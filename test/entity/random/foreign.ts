/** Rows of another tenant are like rows that do not exist, whatever is asked. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Route } from '../../../src/index.ts'
import type { Answer } from '../../support/client.ts'
import { EventReader } from '../../support/graphql/event-reader.ts'
import type { TestTenant } from '../../support/service.ts'
import type { Definition } from './definition.ts'
import { ofEach } from './lists.ts'
import { isGiven, type Row } from './rows.ts'
import { fill, told, type World } from './world.ts'

export function foreignSuite(world: () => World): void {
  let stranger: TestTenant
  /** The rows of the stranger. */
  const own = new Map<string, Row[]>()

  before(async () => {
    const { service, definitions, seed } = world()
    stranger = await service.newTenant()
    for (const { path } of definitions) own.set(path, [])
    for (const definition of definitions) await fill(stranger.user, definition, own, { rows: 2, seed })
  })

  const rowOf = ({ path }: Definition): Row => own.get(path)?.[0] ?? {}

  it('are answered like rows that do not exist by every route', () =>
    ofEach(world(), async (definition, [victim]) => {
      for (const route of definition.entity.routes) {
        const what = `${route.method} ${route.path}`
        const mine = rowOf(definition)
        for (const body of bodiesOf(route, definition, mine)) {
          const ask = (ids: Ids) =>
            stranger.user.send(route.method, route.path.replace(':id', ids.row), body(ids))
          await alike(definition, victim, world(), what, ask)
          const askOfMine = (ids: Ids) =>
            stranger.user.send(route.method, route.path.replace(':id', String(mine['id'])), body(ids))
          if (body !== nothing) await alike(definition, victim, world(), what, askOfMine)
        }
      }
    }))

  it('are in no list, whatever it is filtered and sorted by', () =>
    ofEach(world(), async (definition, [victim]) => {
      const references = definition.members.filter(({ kind }) => kind === 'reference')
      const sorts = references.map(({ field }) => `&sort=${field}.createdAt`)
      const mine = own.get(definition.path)?.map(({ id }) => id)
      const plain = await stranger.user.get(
        `${definition.path}?id[neq]=${victim?.['id']}&count=true${sorts[0] ?? ''}`,
      )
      assert.deepEqual(plain.body.map(({ id }: Row) => id).toSorted(), mine?.toSorted())
      assert.equal(plain.headers.get('x-total-count'), `${mine?.length}`)
      for (const name of ['id', ...references.map((each) => each.name)]) {
        const ask = (ids: Ids) => {
          const id = name === 'id' ? ids.row : ids.targets.get(name)
          return stranger.user.get(`${definition.path}?${name}[in]=${id}&count=true`)
        }
        await alike(definition, victim, world(), `the filter of ${name}`, ask)
      }
    }))

  it('are answered like rows that do not exist by every field of GraphQL', () =>
    ofEach(world(), async (definition, [victim]) => {
      const { queries = {}, mutations = {} } = definition.entity.graphql
      const [first] = definition.members.filter(({ kind }) => kind === 'reference')
      const asked = [
        ...Object.entries(queries).map(([name, { kind }]) => {
          if (kind === 'one') return (ids: Ids) => `{ ${name}(id: "${ids.row}") { id } }`
          const related = (ids: Ids) =>
            first === undefined
              ? ''
              : `, { ${first.field}: { id: { eq: "${ids.targets.get(first.name)}" } } }`
          const [grouped, selected] =
            kind === 'aggregate'
              ? ['groupBy: id, ', 'count key { id } max { createdAt }']
              : ['', 'totalCount nodes { id }']
          return (ids: Ids) =>
            `{ ${name}(${grouped}where: { or: [{ id: { eq: "${ids.row}" } }${related(ids)}] }) { ${selected} } }`
        }),
        ...Object.entries(mutations)
          .filter(([name]) => !name.startsWith('create'))
          .map(([name]) => {
            const input = name.startsWith('update') ? ', input: {}' : ''
            return (ids: Ids) => `mutation { ${name}(id: "${ids.row}"${input}) { id } }`
          }),
      ]
      assert.equal(asked.length, 6)
      for (const query of asked) {
        const ask = (ids: Ids) => stranger.user.post('/graphql', { query: query(ids) })
        await alike(definition, victim, world(), query(idsOf(definition, victim)), ask)
      }
    }))

  it('are sent to no subscriber, and are as they were', async () => {
    const { definitions, owner, stored } = world()
    const [definition] = definitions
    assert.ok(definition)
    const { type, path } = definition
    const query = `subscription { on${type}Updated { id } }`
    await using reader = await EventReader.open(stranger.user, { query })
    const [theirs, mine] = [stored.get(path)?.at(-1)?.['id'], rowOf(definition)['id']]
    assert.equal((await owner.user.post(`${path}/${theirs}/touch`)).status, 200)
    assert.equal((await owner.user.patch(`${path}/${theirs}`, {})).status, 200)
    assert.equal((await stranger.user.patch(`${path}/${mine}`, {})).status, 200)
    assert.deepEqual((await reader.next()).data, { data: { [`on${type}Updated`]: { id: mine } } })
    await ofEach(world(), async (each, rows) => {
      const shown = (all: readonly Row[]) => all.map(({ updatedAt, ...rest }) => rest)
      const { body } = await owner.user.get(each.path)
      assert.deepEqual(shown(body), shown(rows), told(each))
    })
  })
}

/** Of rows of the other tenant, or of none. */
interface Ids {
  row: string
  /** By the names of references. */
  targets: ReadonlyMap<string, string>
}

const none = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'

function idsOf({ members }: Definition, victim: Row | undefined, stored?: World['stored']): Ids {
  const references = members.filter(({ target }) => target !== null)
  const idOf = (path: string) => String(stored?.get(path)?.[0]?.['id'] ?? none)
  return {
    row: String(victim?.['id'] ?? none),
    targets: new Map(references.map(({ name, target }) => [name, idOf(target?.path ?? '')])),
  }
}

type Body = (ids: Ids) => Row | undefined

const nothing: Body = () => undefined

/** With each reference of a row, to a row of another. */
function bodiesOf({ method, body }: Route, { members }: Definition, mine: Row): Body[] {
  if (body === undefined || method === 'GET') return [nothing]
  const given = members.filter(isGiven)
  const own = Object.fromEntries(given.map(({ name }) => [name, mine[name]]))
  const references = given.flatMap(({ name, kind, target }): Body[] => {
    if (target === null) return []
    const value = (id: string | undefined) =>
      kind === 'reference' ? id : [{ label: 1, amount: 1, toId: id }]
    return [({ targets }) => ({ ...own, [name]: value(targets.get(name)) })]
  })
  return references
}

async function alike(
  definition: Definition,
  victim: Row | undefined,
  { stored }: World,
  what: string,
  ask: (ids: Ids) => Promise<Answer>,
): Promise<void> {
  assert.ok(victim)
  const foreign = idsOf(definition, victim, stored)
  const [theirs, nobodys] = [await ask(foreign), await ask(idsOf(definition, undefined))]
  assert.ok(theirs.status < 500, told(definition, what, theirs.text))
  const shown = [foreign.row, ...foreign.targets.values()].reduce(
    (text, id) => text.replaceAll(id, none),
    theirs.text,
  )
  assert.deepEqual([theirs.status, shown], [nobodys.status, nobodys.text], told(definition, what))
}
