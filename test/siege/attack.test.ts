/** Attacks on a service in this process, until each has met its bound: meanwhile others are served. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { defaultSubscriptionLimits } from '../../src/core/limits/client-limits.ts'
import { Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { bearer } from '../support/http/request-bytes.ts'
import { startService, type TestService } from '../support/service.ts'
import { proxyAddress } from './address.ts'
import { attacks } from './attacks.ts'
import { Front } from './front.ts'
import { usualConnections } from './hammer.ts'
import { prepareTarget, type Target } from './target.ts'
import { asks } from './well-behaved.ts'

/** A list of all products is still more than the kernel takes for a client that reads nothing. */
const sizes = { filled: 600, alsoFilled: 2, wellBehaved: 20, leaflets: 10 }

/** What meets a bound takes seconds of processor time, which other programs may want too. */
const boundWithinMs = 90_000

onEitherDatabase('A service under attack', (database) => {
  let service: TestService
  let target: Target
  before(async () => {
    service = await startService(database, { TRUST_PROXY: proxyAddress })
    target = await prepareTarget(service.url, service.config.databaseUrl, sizes)
  })
  after(() => service.stop())

  it('serves others while operations ask for too much, on all connections of the attacker', async () => {
    // On a busy machine they run together for longer, and each is refused for the memory that the others hold.
    const answers = ['200', '429', '503']
    await withstand(
      'graphql-aliases-4x4',
      ({ counts }) => answers.reduce((sum, status) => sum + (counts[status] ?? 0), 0) > usualConnections,
    )
  })

  it('serves others while clients read nothing, and holds little for them', async () => {
    await withstand('unread-lists', async () => {
      const { text } = await service.anonymous.get('/metrics')
      const held = figureIn(text, 'reply_memory_bytes')
      assert.ok(held <= 64 * 1024 * 1024, `${held} bytes`)
      return held > 0
    })
  })

  it('serves others while a user follows orders as often as the service allows', async () => {
    await withstand('order-followers', async ({ counts }) => {
      const { count } = service.service.subscriptions
      assert.ok(count <= defaultSubscriptionLimits.user, `${count} subscriptions`)
      return counts['101'] === 100 && count >= defaultSubscriptionLimits.userSelections
    })
  })

  /** Ends the attack when each request of the well-behaved tenant is answered, and the attack has met its bound. */
  async function withstand(name: string, isBounded: (front: Front) => boolean | Promise<boolean>) {
    const front = new Front(target, () => undefined)
    const client = new Client(service.url, bearer(target.wellBehaved.user))
    try {
      await attacks.find((attack) => attack.name === name)?.start(front)
      for (const [turn, make] of asks.entries()) {
        const { method, path, body, status } = make(target, turn)
        const answer = await client.send(method ?? (body ? 'POST' : 'GET'), path, body)
        assert.equal(answer.status, status, answer.text)
      }
      await eventually(`the bound of ${name}`, boundWithinMs, async () => isBounded(front))
    } finally {
      front.end()
    }
    assert.equal(front.counts['500'], undefined)
  }
})

function figureIn(metrics: string, name: string): number {
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1])
}
