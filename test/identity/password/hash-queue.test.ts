import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { ServiceError } from '../../../src/core/errors.ts'
import { callerPaths } from '../../../src/core/limits/caller.ts'
import type { HashOrigin } from '../../../src/core/passwords.ts'
import { type HashLimits, HashQueue } from '../../../src/identity/password/hash-queue.ts'

/** Hashes that end when the test says so, and are noted in the order in which they begin. */
class Bench {
  readonly begun: string[] = []
  readonly refused: ServiceError[] = []
  readonly lines: object[] = []
  readonly queue: HashQueue
  readonly #ends: (() => void)[] = []

  constructor(limits: Partial<HashLimits> = {}) {
    const log = { warn: (detail: object) => void this.lines.push(detail) }
    this.queue = new HashQueue({ maxConcurrent: 1, maxQueueMs: 60_000, maxWaitMs: 60_000, ...limits }, log)
  }

  /** @param path for instance `stranger/tenant/client` */
  ask(path: string, signal: AbortSignal | null = null): void {
    this.#ask(path, { paths: [path.split('/')], signal })
  }

  /** By somebody without a token. */
  askAsStranger(tenant: string, address: string, isKnown = false): void {
    const paths = callerPaths(tenant, null, address, isKnown)
    this.#ask(`${tenant} ${address}`, { paths, signal: null })
  }

  askInBackground(name: string): void {
    this.queue.runWhenIdle(
      () => this.#compute(name),
      async () => undefined,
    )
  }

  /** Ends the oldest hash. */
  async end(): Promise<void> {
    this.#ends.shift()?.()
    await turn()
  }

  async endAll(): Promise<string[]> {
    await turn()
    while (this.#ends.length > 0) await this.end()
    return this.begun
  }

  count(outcome: string): number {
    return this.queue.outcomes().find(({ labels }) => labels?.['outcome'] === outcome)?.value ?? 0
  }

  #ask(name: string, origin: HashOrigin): void {
    this.queue.run(() => this.#compute(name), origin).catch((error: ServiceError) => this.refused.push(error))
  }

  #compute(name: string): Promise<void> {
    this.begun.push(name)
    return new Promise((resolve) => this.#ends.push(resolve))
  }
}

describe('The queue of hashes', () => {
  it('computes no more at once than it may', async () => {
    const bench = new Bench({ maxConcurrent: 2 })
    for (let count = 0; count < 5; count++) bench.ask('stranger/a/x')
    assert.deepEqual([bench.begun.length, bench.queue.depth], [2, 3])
    await bench.end()
    assert.deepEqual([bench.begun.length, bench.queue.depth], [3, 2])
    assert.equal((await bench.endAll()).length, 5)
    assert.equal(bench.count('computed'), 5)
  })

  it('lets a tenant and a client wait for themselves alone', async () => {
    const bench = new Bench()
    for (const path of ['s/a/x', 's/a/x', 's/a/x', 's/a/y', 's/b/z', 'k/a/u']) bench.ask(path)
    assert.deepEqual(await bench.endAll(), ['s/a/x', 's/a/x', 'k/a/u', 's/b/z', 's/a/y', 's/a/x'])
  })

  it('refuses the client that has most in it when it is full, and says when to come again', async () => {
    const bench = new Bench({ maxQueueMs: 500 }) // 10 hashes of 50 ms
    for (let count = 0; count < 11; count++) bench.ask(`s/a/${count}`)
    assert.equal(bench.queue.depth, 10)
    bench.ask('s/a/late')
    bench.ask('s/b/late')
    bench.ask('k/a/late')
    await turn()
    assert.equal(bench.queue.depth, 10)
    assert.deepEqual(
      bench.refused.map(({ kind, status }) => [kind, status]),
      Array(3).fill(['overloaded', 503]),
    )
    for (const { headers } of bench.refused) assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/)
    const begun = await bench.endAll()
    assert.ok(begun.includes('s/b/late') && begun.includes('k/a/late'))
    assert.ok(!begun.includes('s/a/late'))
  })

  const floods = [
    ['one network with many tenants', (n: number) => [`t${n}`, '192.0.2.1']],
    ['many networks with one tenant', (n: number) => ['t', `192.0.2.${n}`]],
    ['one network with one tenant', () => ['t', '192.0.2.1']],
  ] as const
  for (const [who, of] of floods) {
    const flood = (bench: Bench): void => {
      for (let n = 1; n <= 20; n++) {
        const [tenant = '', address = ''] = of(n)
        bench.askAsStranger(tenant, address)
      }
    }

    it(`lets others wait for some turns of ${who}, not for all`, async () => {
      const bench = new Bench()
      flood(bench)
      bench.askAsStranger('other', '198.51.100.1')
      bench.askAsStranger('known', '198.51.100.2', true)
      const begun = await bench.endAll()
      assert.equal(begun.length, 22)
      assert.ok(begun.indexOf('other 198.51.100.1') <= 5, String(begun))
      assert.ok(begun.indexOf('known 198.51.100.2') <= 5, String(begun))
    })

    it(`refuses ${who} when it is full, and nobody else`, async () => {
      const bench = new Bench({ maxQueueMs: 500 })
      flood(bench)
      bench.askAsStranger('other', '198.51.100.1')
      await turn()
      assert.equal(bench.refused.length, 10)
      assert.ok((await bench.endAll()).includes('other 198.51.100.1'))
    })
  }

  it('says of a longer queue to come again later', async () => {
    const bench = new Bench({ maxQueueMs: 10_000 })
    for (let count = 0; count < 202; count++) bench.ask('s/a/x')
    await turn()
    assert.deepEqual(
      bench.refused.map(({ headers }) => headers['retry-after']),
      ['11'],
    )
  })

  it('holds a bounded number, however much fits into its time', async () => {
    const bench = new Bench({ maxQueueMs: 1e9 })
    for (let count = 0; count < 2000; count++) bench.ask(`s/a/${count}`)
    assert.equal(bench.queue.depth, 512)
  })

  it('refuses what has waited too long, when the next hash ends', async () => {
    const bench = new Bench({ maxWaitMs: 0 })
    for (let count = 0; count < 3; count++) bench.ask('s/a/x')
    await new Promise((resolve) => setTimeout(resolve, 5))
    assert.equal((await bench.endAll()).length, 1)
    assert.equal(bench.refused.length, 2)
  })

  it('forgets a client that has gone', async () => {
    const bench = new Bench()
    const client = new AbortController()
    bench.ask('s/a/x')
    for (let count = 0; count < 3; count++) bench.ask('s/a/gone', client.signal)
    bench.ask('s/a/y')
    client.abort()
    bench.ask('s/a/gone', client.signal)
    assert.deepEqual(await bench.endAll(), ['s/a/x', 's/a/y'])
    assert.deepEqual([bench.count('abandoned'), bench.count('refused'), bench.lines.length], [4, 0, 0])
  })

  it('does what can wait when nobody waits, a bounded number of it', async () => {
    const bench = new Bench()
    bench.ask('s/a/x')
    for (let count = 0; count < 30; count++) bench.askInBackground('background')
    bench.ask('s/a/y')
    const begun = await bench.endAll()
    assert.deepEqual(begun, ['s/a/x', 's/a/y', ...Array(16).fill('background')])
  })

  it('ends when what it does in the background has ended, and begins no more of it', async () => {
    const bench = new Bench()
    bench.askInBackground('first')
    bench.askInBackground('second')
    let isClosed = false
    const closed = bench.queue.close().then(() => {
      isClosed = true
    })
    await turn()
    assert.equal(isClosed, false)
    await bench.end()
    await closed
    assert.deepEqual(bench.begun, ['first'])
  })

  it('goes on after a hash that failed', async () => {
    const bench = new Bench()
    const origin = { paths: [['s', 'a', 'x']], signal: null }
    await assert.rejects(
      bench.queue.run(() => Promise.reject(new Error('broken')), origin),
      /broken/,
    )
    bench.ask('s/a/y')
    assert.deepEqual(await bench.endAll(), ['s/a/y'])
  })

  it('writes one line for many refusals', async () => {
    const bench = new Bench({ maxQueueMs: 0 })
    for (let count = 0; count < 50; count++) bench.ask('s/a/x')
    await turn()
    assert.equal(bench.count('refused'), 45)
    assert.deepEqual(bench.lines, [{ refused: 1, waiting: 4 }])
  })
})
