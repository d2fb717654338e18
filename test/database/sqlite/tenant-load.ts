/** Clients of one tenant that write and read without a pause, and record the replies. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer } from '../../support/client.ts'
import type { TestTenant } from '../../support/service.ts'

const clients = 3
/** Of the maximum length, with three bytes for each character: longer than a page of SQLite. */
const description = '大'.repeat(2000)

export class TenantLoad {
  /** How often each status was answered. */
  readonly statuses: Record<number, number> = {}
  /** Ids of the products that were answered with 201. */
  readonly acknowledged: string[] = []
  readonly #tenant: TestTenant
  #isOver = false
  readonly #ended: Promise<unknown>

  constructor(tenant: TestTenant) {
    this.#tenant = tenant
    this.#ended = Promise.all(Array.from({ length: clients }, () => this.#run()))
    this.#ended.catch(() => undefined) // `stop` tells
  }

  get answers(): number {
    return Object.values(this.statuses).reduce((sum, count) => sum + count, 0)
  }

  /** Waits for so many more answers. @throws the error of a client */
  async answered(count: number): Promise<void> {
    const until = this.answers + count
    while (this.answers < until) await Promise.race([delay(10), this.#ended])
  }

  /** @throws as above */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#ended
  }

  async #run(): Promise<void> {
    const { user } = this.#tenant
    while (!this.#isOver) {
      await this.create()
      this.#count(await user.get('/api/products?limit=5'))
      const known = this.acknowledged[Math.floor(Math.random() * this.acknowledged.length)]
      if (known !== undefined) this.#count(await user.get(`/api/products/${known}`))
    }
  }

  async create(): Promise<Answer> {
    const made = await this.#tenant.user.post('/api/products', { name: 'Desk', price: 1, description })
    this.#count(made)
    if (made.status === 201) this.acknowledged.push(made.body.id)
    return made
  }

  #count({ status }: Answer): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1
  }
}
