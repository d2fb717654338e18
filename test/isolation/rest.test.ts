/** Every route, called with another tenant's token, header and ids, never leaks. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type { Feature } from '../../src/core/feature/feature.ts'
import { type Route, route } from '../../src/core/feature/route.ts'
import { enqueueFor, newWork, workFeature } from '../jobs/work-feature.ts'
import { greet, greetingFeature } from '../mail/mail-feature.ts'
import type { Client } from '../support/client.ts'
import { type DatabaseName, onEitherDatabase } from '../support/databases.ts'
import { mountedRoutes } from '../support/http/mounted-routes.ts'
import { person, startService, type TestService } from '../support/service.ts'
import { digestOf, newVictim, type Victim } from '../support/victim.ts'
import { type Intruder, intrude } from './intrusion.ts'
import { recipeFor } from './recipes.ts'

interface Scene {
  service: TestService
  routes: string[]
  victim: Victim
  intruders: Intruder[]
}

onEitherDatabase('A foreign tenant', (database) => {
  let scene: Scene
  before(async () => {
    scene = await startWithRoutes(database)
  })
  after(() => scene.service.stop())

  it('is tried on every route there is', () => {
    const { service, routes } = scene
    assert.deepEqual(
      routes.filter((known) => recipeFor(known) === null),
      [],
      'these need a recipe',
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

  it('sees nothing and changes nothing, whatever it calls', async () => {
    const digest = await digestOf(scene.victim)
    const faults = await intrudeEverywhere(scene, scene.intruders)
    assert.deepEqual(faults, [])
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
    const routes = scene.routes.filter((known) => own.has(known.replace('HEAD', 'GET')))
    assert.ok(routes.length > 10)
    assert.deepEqual(await intrudeEverywhere({ ...scene, routes }, hosts), [])
    assert.equal(await digestOf(victim), digest)
  })
})

onEitherDatabase('The walk through the routes', (database) => {
  it('does not overlook a route, nor a leak', async () => {
    const scene = await startWithRoutes(database, [leaky])
    try {
      const unknown = scene.routes.filter((known) => recipeFor(known) === null)
      assert.deepEqual(unknown, ['GET /api/leaks/:id', 'HEAD /api/leaks/:id'])
      const [intruder] = scene.intruders
      assert.ok(intruder)
      const byId = { path: ({ product }: { product: string }) => ({ id: product }) }
      const faults = await intrude('GET /api/leaks/:id', byId, scene.victim, intruder, true)
      assert.match(faults.join('\n'), new RegExp(`shows ${scene.victim.canary}`))
      assert.match(faults.join('\n'), /but for nobody's/)
    } finally {
      await scene.service.stop()
    }
  })
})

/** Forgets whose rows it reads. */
const leaky: Feature = {
  name: 'leak',
  routes: [
    route({
      method: 'GET',
      path: '/api/leaks/:id',
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
    startService(database, {}, { features: [...features, workFeature(newWork()), greetingFeature] }),
  )
  const victim = await newVictim(service)
  const job = await enqueueFor(service, victim.id, 1, { key: victim.canary, at: new Date('2999-01-01') })
  victim.names.job = job
  victim.names.mail = await greet(service, victim.id, `${victim.canary}@acme.example`)
  const other = await service.newTenant()
  const intruders = [
    intruderOf(service, other.id, 'a user', other.user, 'worker'),
    intruderOf(service, other.id, 'an administrator', other.admin, 'boss'),
  ]
  return { service, routes, victim, intruders }
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
  { service, routes, victim }: Scene,
  intruders: Intruder[],
): Promise<string[]> {
  const tokenNeeded = new Set(routesWith(service, ({ access }) => access !== 'anonymous'))
  const faults: string[] = []
  for (const known of routes) {
    const recipe = recipeFor(known)
    if (recipe === null) throw new Error(`There is no recipe for ${known}`)
    for (const each of intruders) {
      faults.push(
        ...(await intrude(known, recipe, victim, each, tokenNeeded.has(known.replace('HEAD', 'GET')))),
      )
    }
  }
  return faults
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
