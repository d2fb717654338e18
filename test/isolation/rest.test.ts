/** Every route, called with another tenant's token, header and ids, never leaks. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type { Feature } from '../../src/core/feature/feature.ts'
import { type Route, route } from '../../src/core/feature/route.ts'
import { type Discovery, startDiscovery } from '../identity/single-sign-on/discovery.ts'
import { enqueueFor, newWork, workFeature } from '../jobs/work-feature.ts'
import { greet, greetingFeature } from '../mail/mail-feature.ts'
import type { Client } from '../support/client.ts'
import { type DatabaseName, onEitherDatabase } from '../support/databases.ts'
import { routesOfHost } from '../support/host-access.ts'
import { mountedRoutes } from '../support/http/mounted-routes.ts'
import { triesAll } from '../support/run/extent.ts'
import { person, startService, type TestService } from '../support/service.ts'
import { SoftwareAuthenticator } from '../support/software-authenticator.ts'
import { digestOf, newVictim, type Victim } from '../support/victim.ts'
import { hostEntity } from './host-entity.ts'
import { type Intruder, intrude, type Way, ways } from './intrusion.ts'
import type { Recipe } from './recipe.ts'
import { recipesOf } from './recipes.ts'
import { changedRows, type StoredRows, storedRows } from './stored-rows.ts'

interface Scene {
  provider: Discovery
  service: TestService
  routes: string[]
  recipeFor(route: string): Recipe | null
  victim: Victim
  intruders: Intruder[]
}

onEitherDatabase('A foreign tenant', (database) => {
  let scene: Scene
  before(async () => {
    scene = await startWithRoutes(database, [leaky])
  })
  after(async () => {
    scene.provider.close()
    await scene.service.stop()
  })

  it('is tried on every route there is', () => {
    const { service, routes, recipeFor } = scene
    assert.deepEqual(
      routes.filter((known) => recipeFor(known) === null),
      [`GET ${leakyPath}`, `HEAD ${leakyPath}`],
      'write into test/isolation/recipes.ts how these are called for rows of another tenant',
    )
    const printed = mountedRoutes(service.service.app)
    assert.deepEqual(routes.filter((known) => !known.startsWith('HEAD ')).toSorted(), printed.toSorted())
    const declared = service.service.features.flatMap((feature) => feature.routes ?? [])
    assert.ok(declared.length > 20)
    assert.deepEqual(
      declared.map(nameOf).filter((known) => !routes.includes(known)),
      [],
    )
  })

  it('is found out where there is a leak', async () => {
    const [intruder] = scene.intruders
    assert.ok(intruder)
    const byId = { path: ({ product }: { product: string }) => ({ id: product }) }
    const faults = await intrude(`GET ${leakyPath}`, byId, scene.victim, intruder, { needsToken: true, ways })
    assert.match(faults.join('\n'), new RegExp(`shows ${scene.victim.canary}`))
    assert.match(faults.join('\n'), /but for nobody's/)
  })

  it('sees nothing and changes nothing, whatever it calls', async () => {
    const digest = await digestOf(scene.victim)
    const rows = await rowsOf(scene)
    const faults = await intrudeEverywhere(scene, scene.intruders)
    assert.deepEqual(faults, [])
    assert.deepEqual(changedRows(rows, await rowsOf(scene)), [])
    assert.equal(await digestOf(scene.victim), digest)
  })

  it('is every other tenant for the rows of a tenant, the host and its administrators as well', async () => {
    const { service, victim } = scene
    const digest = await digestOf(victim)
    await service.host.post('/api/users', person('guest'))
    const guest = (await service.signIn('guest')).client
    const hosts = [
      intruderOf(service, 'default', 'an administrator of the host', service.host, 'admin'),
      intruderOf(service, 'default', 'a user of the host', guest, 'guest'),
    ]
    const own = new Set(routesWith(service, ({ database: kind }) => (kind ?? 'tenant') === 'tenant'))
    const ofHost = routesOfHost(service.service.features)
    const routes = scene.routes
      .map((known) => [known, known.replace('HEAD', 'GET')] as const)
      .filter(([, name]) => own.has(name) && !ofHost.has(name))
      .map(([known]) => known)
    assert.ok(routes.length > 10)
    assert.deepEqual(await intrudeEverywhere({ ...scene, routes }, hosts), [])
    assert.equal(await digestOf(victim), digest)
  })
})

const leakyPath = '/api/leaks/:id'

/** Forgets whose rows it reads. */
const leaky: Feature = {
  name: 'leak',
  routes: [
    route({
      method: 'GET',
      path: leakyPath,
      summary: 'Leak',
      tag: 'Tests',
      access: 'user',
      status: 200,
      handle: async (context, { path }) => {
        const everything = 'SELECT id, name FROM product'
        const { rows } = await context.shared.catalogueDatabase.executor.run(everything, [], false)
        return rows.filter(({ id }) => id === path['id'])
      },
    }),
  ],
}

async function startWithRoutes(database: DatabaseName, features: Feature[] = []): Promise<Scene> {
  const { result: service, routes } = await recordRoutes(() =>
    startService(
      database,
      {},
      { features: [...features, ...hostEntity, workFeature(newWork()), greetingFeature] },
    ),
  )
  const victim = await newVictim(service)
  const job = await enqueueFor(service, victim.id, 1, { key: victim.canary, at: new Date('2999-01-01') })
  victim.names.job = job
  victim.names.passkey = await passkeyOf(victim, service)
  victim.names.mail = await greet(service, victim.id, `${victim.canary}@acme.example`)
  const provider = await startDiscovery()
  const settings = { issuer: provider.issuer, clientId: 'tenantry', clientSecret: victim.canary }
  const set = await victim.admin.put('/api/tenant/sso', settings)
  assert.equal(set.status, 200, set.text)
  const other = await service.newTenant()
  const intruders = [
    intruderOf(service, other.id, 'a user', other.user, 'worker'),
    intruderOf(service, other.id, 'an administrator', other.admin, 'boss'),
  ]
  return { provider, service, routes, recipeFor: recipesOf(service.service.features), victim, intruders }
}

async function passkeyOf({ user }: Victim, { config }: TestService): Promise<string> {
  const options = await user.post('/api/auth/passkeys/creation-options')
  const response = new SoftwareAuthenticator(new URL(config.baseUrl).origin).create(options.body)
  const { status, text, body } = await user.post('/api/auth/passkeys', { name: 'Laptop', response })
  assert.equal(status, 201, text)
  return body.id
}

/**
 * Runs `start` and records every route that a Fastify instance made meanwhile is given, in whatever way: by a
 * feature, by a plugin or by hand, as `GET /api/products/:id`.
 */
async function recordRoutes<T>(start: () => Promise<T>): Promise<{ result: T; routes: string[] }> {
  const routes: string[] = []
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance } // the channel's documented message
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) routes.push(`${each} ${url}`)
    })
  }
  subscribe('fastify.initialization', listen)
  try {
    return { result: await start(), routes }
  } finally {
    unsubscribe('fastify.initialization', listen)
  }
}

function rowsOf({ service, victim }: Scene): Promise<StoredRows> {
  return storedRows(service.config.databaseUrl, victim.id)
}

function intruderOf(
  service: TestService,
  tenantId: string,
  title: string,
  caller: Client,
  userName: string,
): Intruder {
  return {
    title,
    caller: async (fresh) => (fresh ? (await service.signIn(userName, tenantId)).client : caller),
  }
}

async function intrudeEverywhere(
  { service, routes, recipeFor, victim }: Scene,
  intruders: Intruder[],
): Promise<string[]> {
  const tokenNeeded = new Set(routesWith(service, ({ access }) => access !== 'anonymous'))
  const faults: string[] = []
  for (const [place, known] of routes.filter((each) => !each.endsWith(leakyPath)).entries()) {
    const recipe = recipeFor(known)
    if (recipe === null) throw new Error(`There is no recipe for ${known}`)
    const needsToken = tokenNeeded.has(known.replace('HEAD', 'GET'))
    for (const [turn, each] of intrudersOf(known, intruders).entries())
      faults.push(...(await intrude(known, recipe, victim, each, { needsToken, ways: waysOf(place + turn) })))
  }
  return faults
}

/** HEAD goes the way of GET. */
function intrudersOf(known: string, intruders: Intruder[]): Intruder[] {
  return known.startsWith('HEAD ') && !triesAll ? intruders.slice(0, 1) : intruders
}

/** Without a tenant's name and with it, in each way by turns. */
function waysOf(turn: number): Way[] {
  const named = ways.filter((way) => way !== 'nothing')
  return triesAll ? [...ways] : ['nothing', named[turn % named.length] ?? 'header']
}

function routesWith({ service }: TestService, holds: (route: Route) => boolean): string[] {
  return service.features
    .flatMap((feature) => feature.routes ?? [])
    .filter(holds)
    .map(nameOf)
}

function nameOf({ method, path }: Route): string {
  return `${method} ${path}`
}
