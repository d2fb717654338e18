/** What the token of a portal session reaches, on every route. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Route } from '../../src/core/feature/route.ts'
import type { Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { atAnyCost, startService, type TestService } from '../support/service.ts'
import { newVictim, type Victim } from '../support/victim.ts'
import { openPortal } from '../webhooks/portal/portal.ts'
import { leaksIn } from './leaks.ts'
import { recipesOf } from './recipes.ts'

onEitherDatabase('The token of a portal session', (database) => {
  let service: TestService
  let victim: Victim
  before(async () => {
    service = await startService(database, {}, atAnyCost)
    victim = await newVictim(service)
  })
  after(() => service.stop())

  const routes = (holds: (route: Route) => boolean) =>
    service.service.features.flatMap((feature) => feature.routes ?? []).filter(holds)

  const call = async (client: Client, { method, path }: Route) => {
    const recipe = recipesOf(service.service.features)(`${method} ${path}`)
    const values = recipe?.path?.(victim.names) ?? {}
    const address = path.replaceAll(/:(\w+)/g, (_all, name) => encodeURIComponent(values[name] ?? ''))
    return client.send(method, address, recipe?.body?.(victim.names))
  }

  const open = async (members: object, by = victim.admin) =>
    (await openPortal(by, service.anonymous, { ...members })).client

  it('opens no route but those of webhooks', async () => {
    const client = await open({ readOnly: false })
    const closed = routes(({ access, inPortal }) => access !== 'anonymous' && inPortal !== true)
    assert.ok(closed.length > 100)
    for (const route of closed) {
      const { status, text } = await call(client, route)
      assert.equal(status, 403, `${route.method} ${route.path}: ${text}`)
    }
    const query = { query: '{ products { name } }' }
    assert.equal((await client.post('/graphql', query)).status, 403)
    assert.equal((await client.get('/graphql?query={__typename}')).status, 403)
  })

  it('changes nothing if the session only shows', async () => {
    const client = await open({})
    const changing = routes(({ access, inPortal }) => inPortal === true && access !== 'webhook:read')
    assert.ok(changing.length > 7)
    for (const route of changing.filter(({ access }) => access === 'webhook:write'))
      assert.equal((await call(client, route)).status, 403, `${route.method} ${route.path}`)
    const others = changing.filter(({ access }) => access !== 'webhook:write')
    assert.ok(others.every(({ method }) => method === 'GET'))
  })

  it('shows no customer the rows of another one, nor those of the tenant', async () => {
    const client = await open({ customer: 'somebody', readOnly: false, events: ['*'] })
    await assertBlind(client, 404)
  })

  it('shows a foreign tenant nothing', async () => {
    const other = await service.newTenant()
    await assertBlind(await open({ readOnly: false }, other.admin), 404)
    const named = await open({ readOnly: false }, other.admin)
    await assertBlind(named.with({ 'x-tenant-id': victim.id }), 403)
  })

  /** What everybody may see of a tenant is tried elsewhere. @param refusal of rows that the session does not reach */
  const assertBlind = async (client: Client, refusal: number) => {
    for (const route of routes(({ access, inPortal }) => inPortal === true && access !== 'public')) {
      const { status, text } = await call(client, route)
      const place = `${route.method} ${route.path}: ${status} ${text}`
      assert.deepEqual(leaksIn(text, victim), [], place)
      if (route.path.includes(':') || refusal === 403) assert.equal(status, refusal, place)
    }
  }
})
