/** Every field of the schema answers for rows of another tenant as for rows that do not exist. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { Type } from 'typebox'
import type { Feature } from '../../src/core/feature/feature.ts'
import type { Answer } from '../support/client.ts'
import { inspect } from '../support/database/inspect.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { comparable } from '../support/error.ts'
import { fieldsOfHost } from '../support/host-access.ts'
import { missingLike } from '../support/names.ts'
import { newProduct, orderOf } from '../support/orders.ts'
import type { TestService } from '../support/service.ts'
import { digestOf } from '../support/victim.ts'
import type { Recipe, Scene } from './graphql-recipe.ts'
import { startWithTargets } from './graphql-scene.ts'
import { markOf, overhear } from './graphql-subscriptions.ts'
import { leaksIn } from './leaks.ts'

onEitherDatabase('A foreign tenant in GraphQL', (database) => {
  let scene: Scene
  before(async () => {
    scene = await startWithTargets(database, [leaky])
  })
  after(() => scene.service.stop())

  it('is tried on every field there is', async () => {
    const fields = await rootFields(scene.service)
    const missing = fields.filter((name) => !knownIn(scene).includes(name))
    const place = 'test/isolation/graphql-recipes.ts, and of subscriptions into graphql-subscriptions.ts'
    assert.deepEqual(missing, ['leak'], `write into ${place} how these are called for rows of another tenant`)
    const gone = knownIn(scene).filter((name) => !fields.includes(name))
    assert.deepEqual(gone, [], 'remove these from test/isolation/graphql-recipes.ts')
  })

  it('is tried with requests that show the tenant its own rows', async () => {
    const { victim, recipes, targets, service } = scene
    const ofHost = fieldsOfHost(service.service.features)
    for (const [name, recipe] of Object.entries(recipes)) {
      if (ofHost.has(name) || /^signUp/.test(name)) continue // sign-ups: before there is a tenant
      const answers: string[] = []
      for (const { query, variables } of recipe(targets)) {
        if (query.startsWith('mutation')) continue
        const { body, text } = await victim.admin.post('/graphql', { query, variables })
        assert.equal(body.errors, undefined, `${query}: ${text}`)
        answers.push(text)
      }
      const shown = answers.filter((text) => leaksIn(text, victim).length > 0)
      const isRead = answers.length > 0 && !/Aggregate$|^tenantSettings$/.test(name)
      assert.ok(!isRead || shown.length > answers.length / 2, `${name}: ${answers.join('\n')}`)
    }
  })

  it('sees nothing and changes nothing, whatever it asks for', async () => {
    const digest = await digestOf(scene.victim)
    assert.deepEqual(await askForForeignRows(scene, scene.recipes), [])
    assert.equal(await digestOf(scene.victim), digest)
  })

  it('is refused where only the host may ask', async () => {
    const { service, intruders, recipes, targets } = scene
    const ofHost = fieldsOfHost(service.service.features)
    const asked = Object.entries(recipes).filter(([name]) => ofHost.has(name))
    assert.ok(asked.length > 5)
    for (const [name, recipe] of asked) {
      for (const each of recipe(targets)) {
        const { body, text } = (await intruders['an administrator']?.post('/graphql', each)) ?? {}
        assert.equal(body.errors?.[0].extensions.code, 'AUTH_NOT_AUTHORIZED', `${name}: ${text}`)
      }
    }
  })

  it('is refused when it names the tenant, whatever it asks for', async () => {
    const { victim, intruders, recipes, targets } = scene
    const digest = await digestOf(victim)
    for (const caller of Object.values(intruders)) {
      for (const { query, variables } of Object.values(recipes).flatMap((recipe) =>
        recipe(targets).slice(0, 1),
      )) {
        const headers = { 'x-tenant-id': victim.id }
        const { status, body } = await caller.post('/graphql', { query, variables }, headers)
        if (caller !== intruders['nobody']) assert.equal(status, 403)
        else if (!/\{ products/.test(query)) {
          assert.equal(body.errors[0].extensions.code, 'AUTH_NOT_AUTHENTICATED', query)
        }
      }
    }
    assert.equal(await digestOf(victim), digest)
  })

  it('hears nothing of the tenant, with a mark of the tenant or without', async () => {
    for (const following of Object.values(scene.followings)) {
      const mark = await markOf(scene, following)
      for (const who of Object.keys(scene.intruders)) {
        for (const behind of [null, mark]) {
          assert.deepEqual(await overhear(scene, following, who, behind), [])
        }
      }
    }
  })

  it('may follow nothing when it names the tenant', async () => {
    const { victim, intruders, followings } = scene
    for (const [who, caller] of Object.entries(intruders)) {
      for (const { query } of Object.values(followings)) {
        const headers = { 'x-tenant-id': victim.id, accept: 'text/event-stream' }
        const { status, text } = await caller.post('/graphql', { query }, headers)
        assert.equal(status, who === 'nobody' ? 200 : 403)
        if (who === 'nobody') assert.match(text, /^event: next\ndata: \{"errors":.+AUTH_NOT_AUTHENTICATED/)
      }
    }
  })

  it('is found out where there is a leak', async () => {
    const faults = await askForForeignRows(scene, { leak: () => [{ query: '{ leak { names } }' }] })
    const shown = new RegExp(`shows ${scene.victim.canary}`)
    assert.match(faults.join('\n'), shown)
    const spied = { ...scene, intruders: { 'the victim': scene.victim.user } }
    for (const following of Object.values(scene.followings).filter(({ isOfHost }) => !isOfHost)) {
      const heard = (await overhear(spied, following, 'the victim', null)).join('\n')
      assert.match(
        heard,
        /^subscription \{ on\w+Deleted/.test(following.query) ? /shows [0-9a-f-]{36}/ : shown,
      )
    }
  })

  it('is led nowhere by a row of its own that names a foreign one', async () => {
    const { service, victim } = scene
    const { id, user } = await service.newTenant()
    const own = await newProduct(user)
    await user.post('/api/orders', orderOf([[own, 1]]))
    const steal = `UPDATE sales_order_item SET product_id = '${victim.names.product}' WHERE tenant_id = '${id}'`
    await inspect(service.config.databaseUrl, steal)
    const query = '{ orders { nodes { items { productId product { id } } } } }'
    const { body } = await user.post('/graphql', { query })
    assert.deepEqual(body.data.orders.nodes, [
      { items: [{ productId: victim.names.product, product: null }] },
    ])
    const byProduct =
      '{ orders(where: { items: { some: { product: { price: { gte: 0 } } } } }) { totalCount } }'
    const { body: found } = await user.post('/graphql', { query: byProduct })
    assert.deepEqual(found, { data: { orders: { totalCount: 0 } } })
  })
})

/** Forgets whose rows it reads. */
const leaky: Feature = {
  name: 'leak',
  graphql: {
    queries: {
      leak: {
        kind: 'object',
        type: Type.Object({ names: Type.String() }, { $id: 'Leak' }),
        access: 'public',
        description: 'Leaks.',
        read: async ({ shared }) => {
          const { rows } = await shared.catalogueDatabase.executor.run('SELECT name FROM product', [], false)
          return { names: rows.map(({ name }) => name).join() }
        },
      },
    },
  },
}

function knownIn({ recipes, followings }: Scene): string[] {
  return [...Object.keys(recipes), ...Object.keys(followings)]
}

async function rootFields({ anonymous }: TestService): Promise<string[]> {
  const types = ['queryType', 'mutationType', 'subscriptionType']
  const query = `{ __schema { ${types.map((type) => `${type} { fields { name } }`).join(' ')} } }`
  const found: Record<string, { fields: { name: string }[] }> = (await anonymous.post('/graphql', { query }))
    .body.data.__schema
  return Object.values(found).flatMap(({ fields }) => fields.map(({ name }) => name))
}

/** The host is asked only for what others have as well. @returns what was wrong, nothing when all is well */
async function askForForeignRows(
  { victim, targets, intruders, service }: Scene,
  recipes: Readonly<Record<string, Recipe>>,
): Promise<string[]> {
  const faults: string[] = []
  const nothing = missingLike(targets)
  const absentTargets = { ...nothing, cursor: cursorAt(targets.cursor, nothing.order) }
  const ofHost = fieldsOfHost(service.service.features)
  for (const [name, recipe] of Object.entries(recipes)) {
    for (const [who, caller] of Object.entries(intruders)) {
      if (caller === service.host && ofHost.has(name)) continue
      const absent = recipe(absentTargets)
      for (const [index, asked] of recipe(targets).entries()) {
        const { query } = asked
        const answer = await caller.post('/graphql', asked)
        const nobodys = await caller.post('/graphql', absent[index])
        const leaks = leaksIn(answer.text, victim)
        faults.push(...leaks.map((secret) => `${query} by ${who} shows ${secret}: ${answer.text}`))
        if (sameAs(answer) !== sameAs(nobodys))
          faults.push(`${query} by ${who}: ${answer.text} but for nobody's ${nobodys.text}`)
      }
    }
  }
  return faults
}

/** The place behind a row of another id, in the same order. */
function cursorAt(cursor: string, id: string): string {
  const [mark] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  return Buffer.from(JSON.stringify([mark, id])).toString('base64url')
}

/** Without the places of what is wrong, which follow from the length of names. */
function sameAs(answer: Answer): string {
  const { headers, ...rest } = comparable(answer) as { headers: Record<string, string>; text: string }
  const { 'content-length': _length, ...others } = headers
  return JSON.stringify({ ...rest, text: rest.text.replaceAll(/"column":\d+/g, ''), headers: others })
}
