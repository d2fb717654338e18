/** Connections are cut under load, and PostgreSQL crashes and recovers. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, Client } from '../../support/client.ts'
import { inspect } from '../../support/database/inspect.ts'
import { type PostgresServer, startPostgres } from '../../support/database/postgres-server.ts'
import { eventually } from '../../support/eventually.ts'
import { startLoad } from '../../support/load.ts'
import { startService, type TestService } from '../../support/service.ts'
import { subscribe } from '../../support/webhooks/delivery-scene.ts'
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts'

describe('While connections to PostgreSQL are cut', () => {
  let postgres: PostgresServer
  let service: TestService
  let receiver: Receiver
  let callers: Client[]
  before(async () => {
    postgres = await startPostgres()
    const settings = {
      DATABASE_URL: databaseOn(postgres, 'shared'),
      WEBHOOK_RETRY_SECONDS: '1,1,1,1,1',
      // A claim whose commit was never acknowledged waits for the end of its lease, twice the time of an attempt.
      WEBHOOK_TIMEOUT_MS: '2000',
    }
    service = await startService('sqlite', settings)
    receiver = await startReceiver((response) => response.end())
    const own = await service.newTenant({ connectionString: databaseOn(postgres, 'own') })
    callers = [(await service.newTenant()).user, own.user]
    for (const caller of callers) {
      await eventually('the database', 10_000, async () => (await caller.get('/api/products')).status === 200)
      await subscribe(caller, receiver, { events: ['product.created'] })
    }
  })
  after(async () => {
    await service.stop()
    await receiver.close()
    await postgres.stop()
  })

  const faults: [name: string, times: number, pauseMs: number, cause: () => Promise<void>][] = [
    ['one by one', 12, 100, () => terminate(postgres)],
    ['because the server falls and recovers', 1, 1000, () => crash(postgres)],
  ]
  for (const [name, times, pauseMs, cause] of faults) {
    it(`${name}, others get 503, nothing acknowledged is lost, and nothing is done twice`, async () => {
      const { made, refused, stop } = createUntilAnswered(callers, name)
      for (let count = 0; count < times; count++) {
        await delay(pauseMs)
        await cause()
      }
      await delay(pauseMs)
      await stop()
      assert.ok(made.size > 10, `${made.size} made`)
      assert.ok(refused.length > 0)
      for (const { status, headers, text } of refused) {
        assert.equal(status, 503, text)
        assert.match(headers.get('retry-after') ?? '', /^\d+$/)
      }
      const stored = (await Promise.all(callers.map((caller) => caller.get('/api/products')))).flatMap(
        ({ body }) => body,
      )
      const ours = stored.filter((product: { name: string }) => product.name.startsWith(name))
      assert.deepEqual(new Map(ours.map((product) => [product.name, product.id])), made)
      assert.equal(ours.length, made.size)
      const told = () => new Set(receiver.requests.map(({ body }) => JSON.parse(body).data.productId))
      const missing = () => [...made.values()].filter((id) => !told().has(id))
      await eventually('every event', 20_000, async () => missing().length === 0)
    })
  }
})

/** Callers that ask again, with the same key, until they have an answer. */
function createUntilAnswered(callers: Client[], name: string) {
  const made = new Map<string, string>()
  const refused: Answer[] = []
  const workers = [...callers, ...callers, ...callers].map((caller, place) => ({ caller, place }))
  const load = startLoad(workers, async ({ caller, place }, round, isStopped) => {
    const product = { name: `${name} ${place}-${round}`, price: 1 }
    const key = { 'idempotency-key': product.name.replaceAll(' ', '-') }
    for (;;) {
      const answer = await caller.post('/api/products', product, key)
      if (answer.status === 201) made.set(product.name, answer.body.id)
      else refused.push(answer)
      if (answer.status === 201 || (isStopped() && answer.status !== 503)) break
      await delay(20)
    }
  })
  return { made, refused, stop: () => load.stop() }
}

function databaseOn({ url }: PostgresServer, name: string): string {
  const own = new URL(url)
  own.pathname = `/${name}`
  return own.href
}

async function terminate({ url }: PostgresServer): Promise<void> {
  await inspect(
    url,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tenantry'",
  )
}

/** The server ends all processes when one of them was killed, and recovers from its log before it takes new ones. */
async function crash({ url }: PostgresServer): Promise<void> {
  const sql = "SELECT pid FROM pg_stat_activity WHERE application_name = 'tenantry' LIMIT 1"
  const [victim] = await inspect(url, sql)
  process.kill(Number(victim?.['pid']), 'SIGKILL')
  await eventually('the recovery', 20_000, async () => {
    const answer = await inspect(url, 'SELECT 1').catch(() => [])
    return answer.length > 0
  })
}
