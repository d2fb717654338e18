/** What an administrator of the host may do while acting as a user: every route and every mutation says so. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type TSchema, Type } from 'typebox'
import { exampleOf } from '../../../src/api/openapi/example.ts'
import { type Feature, objectMutation, route } from '../../../src/index.ts'
import type { Answer, Client } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { mountedRoutes } from '../../support/http/mounted-routes.ts'
import { person, startService, type TestService, uniqueName } from '../../support/service.ts'

/** What changes something and is allowed: rows of the business, and the end of acting itself; beside `rowChanges`. */
const allowedChanges = [
  'DELETE /api/files/:id',
  'POST /api/auth/logout',
  'POST /api/auth/sso/sign-out',
  'POST /api/files',
  'POST /api/live', // follows lists, which is a read
  'POST /api/orders',
  'POST /api/orders/:id/cancel',
  'POST /api/orders/:id/pay',
  'POST /graphql', // each of its fields says so itself
  'PUT /api/orders/:id',
]

/** The changes of the rows of every entity, beside its path. */
const rowChanges = [
  'POST ',
  'POST /bulk',
  'PUT /:id',
  'PATCH /:id',
  'DELETE /:id',
  'POST /:id/restore',
  'POST /:id/history/:version/restore',
]

const refusedReads = ['GET /api/files/:id/link', 'GET /api/mails/:id/content']

const refusedMutations = ['forget', 'updateTenantSettings']

const id = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'

/** A feature that says nothing of it. */
const silentFeature: Feature = {
  name: 'silent',
  routes: [
    route({
      method: 'POST',
      path: '/api/silent',
      summary: 'Do something',
      tag: 'Silent',
      access: 'user',
      status: 204,
      handle: async () => undefined,
    }),
  ],
  graphql: {
    mutations: {
      forget: objectMutation({
        type: Type.Object({ done: Type.Boolean() }, { $id: 'Forgotten' }),
        description: 'Does something.',
        args: { id: Type.String({ format: 'uuid' }) },
        run: async () => ({ done: true }),
      }),
    },
  },
}

/** @param rows the paths of entities */
function mayCall(name: string, rows: readonly string[]): boolean {
  if (name.startsWith('GET ')) return !refusedReads.includes(name)
  const [method = '', path = ''] = name.split(' ')
  const isOfRows = rows.some(
    (each) => path.startsWith(each) && rowChanges.includes(`${method} ${path.slice(each.length)}`),
  )
  return isOfRows || allowedChanges.includes(name)
}

function call(client: Client, name: string): Promise<Answer> {
  const [method = '', path = ''] = name.split(' ')
  return client.send(method, path.replaceAll(/:(\w+)/g, id), method === 'GET' ? undefined : {})
}

onEitherDatabase('While an administrator of the host acts as a user', (database) => {
  let service: TestService
  /** Those that look at the token. */
  let routes: string[]
  let newAccess: () => Promise<Client>
  before(async () => {
    service = await startService(database, {}, { features: [silentFeature] })
    const anonymous = service.service.features
      .flatMap((feature) => feature.routes ?? [])
      .filter(({ access }) => access === 'anonymous')
      .map(({ method, path }) => `${method} ${path}`)
    routes = mountedRoutes(service.service.app).filter((name) => !anonymous.includes(name))
    const permissions = (await service.host.get('/api/permissions')).body.map(
      (each: { name: string }) => each.name,
    )
    await service.host.post('/api/roles', { name: 'Everything', permissions })
    const user = await service.host.post('/api/users', person('helped', { roles: ['Everything'] }))
    newAccess = () => actAs(user.body.id)
  })
  after(() => service.stop())

  const actAs = async (userId: string): Promise<Client> => {
    const acting = await service.host.post(`/api/users/${userId}/impersonate`, { reason: 'Ticket 4711' })
    assert.equal(acting.status, 200, acting.text)
    return service.anonymous.withToken(acting.body.accessToken)
  }

  const isRefused = ({ text }: Answer): boolean => /not possible while you act as another user/.test(text)

  it('every route keeps to what it says, and what changes something is refused unless it says otherwise', async () => {
    let acting = await newAccess()
    const entities = service.service.features.filter(({ statesRows }) => statesRows !== undefined)
    const rows = entities.flatMap(({ describe }) => describe?.().operations.list?.path ?? [])
    assert.ok(rows.includes('/api/products'))
    const wrong: string[] = []
    for (const name of routes) {
      const answer = await call(acting, name)
      const isWrong = mayCall(name, rows) ? isRefused(answer) : answer.status !== 403 || !isRefused(answer)
      if (isWrong) wrong.push(`${name}: ${answer.status} ${answer.text.slice(0, 100)}`)
      if (name.endsWith('out')) acting = await newAccess() // a sign-out
    }
    assert.deepEqual(wrong, [])
    assert.deepEqual(
      [...allowedChanges, ...refusedReads].filter((name) => !routes.includes(name)),
      [],
    )
  })

  it('every mutation keeps to what it says, and is refused unless it says otherwise', async () => {
    const acting = await newAccess()
    const mutations = service.service.features.flatMap(({ graphql }) =>
      Object.entries(graphql?.mutations ?? {}),
    )
    const refused: string[] = []
    for (const [name, { args }] of mutations) {
      const answer = await acting.post('/graphql', callOf(name, args))
      const [error] = answer.body.errors ?? []
      if (isRefused(answer)) refused.push(name)
      if (isRefused(answer)) assert.equal(error.extensions.code, 'AUTH_NOT_AUTHORIZED')
    }
    assert.ok(mutations.length > 10)
    assert.deepEqual(refused.toSorted(), refusedMutations)
  })

  it('nothing stays behind that reaches outside', async () => {
    const tenant = await service.newTenant()
    const acting = await actAs((await tenant.admin.get('/api/auth/me')).body.id)
    const planted = [
      await acting.put('/api/webhooks/providers/stripe', { secret: 'whsec_known' }),
      await acting.post('/api/webhooks/rules', { provider: 'stripe', eventType: '*', action: 'order.pay' }),
      await acting.post('/api/webhooks/subscriptions', { url: 'https://evil.example/', events: ['*'] }),
      await acting.post('/api/v1/webhooks', { url: 'https://evil.example/', events: ['*'] }),
      await acting.put('/api/tenant/settings', { brandName: 'Seen' }),
      await acting.post('/api/events', { type: 'door.opened', data: {} }),
      await acting.post('/api/webhooks/portal-sessions', { origins: ['https://shop.example'] }),
    ]
    assert.deepEqual(
      planted.map(({ status }) => status),
      Array(planted.length).fill(403),
    )
    assert.deepEqual((await tenant.admin.get('/api/webhooks/providers')).body, [])
    assert.deepEqual((await tenant.admin.get('/api/webhooks/rules')).body, [])
    assert.deepEqual((await tenant.admin.get('/api/webhooks/subscriptions')).body, [])
  })

  it('files have no link that works without the token', async () => {
    const tenant = await service.newTenant()
    const acting = await actAs((await tenant.admin.get('/api/auth/me')).body.id)
    const made = await acting.send('POST', '/api/files?name=note.txt', 'text', {
      'content-type': 'text/plain',
    })
    assert.equal(made.status, 201, made.text)
    const path = `/api/files/${made.body.id}`
    assert.equal(new URL(made.body.url).pathname, path)
    assert.equal(new URL(made.body.url).search, '')
    assert.equal((await acting.get(path)).text, 'text')
    assert.equal((await service.anonymous.get(path)).status, 401)
    const own = await tenant.admin.get(`${path}/link`)
    assert.match(own.body.url, /signature=/)
  })

  it('rows of the business are changed as by the user', async () => {
    const acting = await newAccess()
    assert.equal((await acting.post('/api/categories', { name: uniqueName('Acted') })).status, 201)
  })

  it('a refresh token of the user ends no session', async () => {
    const tenant = await service.newTenant()
    const { client, refreshToken } = await service.signIn('worker', tenant.id)
    const acting = await actAs((await client.get('/api/auth/me')).body.id)
    assert.equal((await acting.post('/api/auth/logout', { refreshToken })).status, 200)
    assert.equal((await service.anonymous.post('/api/auth/refresh', { refreshToken })).status, 200)
  })
})

function callOf(name: string, args: Readonly<Record<string, TSchema>>) {
  const given = Object.entries(args).map(([member, schema]) => {
    const { $id: type } = schema as { $id?: string } // of JSON Schema
    return type === undefined
      ? { member, type: 'UUID', value: id }
      : { member, type, value: exampleOf(schema) }
  })
  const declared = given.map(({ member, type }) => `$${member}: ${type}!`).join(', ')
  const passed = given.map(({ member }) => `${member}: $${member}`).join(', ')
  return {
    query: `mutation (${declared}) { ${name}(${passed}) { __typename } }`,
    variables: Object.fromEntries(given.map(({ member, value }) => [member, value])),
  }
}
