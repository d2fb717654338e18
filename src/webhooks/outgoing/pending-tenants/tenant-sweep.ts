/** Goes round the databases in which something may wait: a few at a time, and one round after the other. */
import { KeyedSemaphore } from '../keyed-semaphore.ts'

const mostAtOnce = 8
/** Longer than opening a file takes; one that does not answer keeps others waiting for no longer. */
const holdMs = 500

export class TenantSweep {
  readonly #marked: () => Promise<string[]>
  readonly #visit: (tenantId: string) => Promise<void>
  readonly #failed: (error: unknown) => void
  readonly #semaphore = new KeyedSemaphore(mostAtOnce, holdMs)
  /** Called for while they were being visited. */
  readonly #again = new Set<string>()
  #isWanted = false
  #running: Promise<void> | null = null

  /** @param marked the tenants to be visited @param failed told of what the other two throw */
  constructor(
    marked: () => Promise<string[]>,
    visit: (tenantId: string) => Promise<void>,
    failed: (error: unknown) => void,
  ) {
    this.#marked = marked
    this.#visit = visit
    this.#failed = failed
  }

  /** While a round is under way, one more follows it. @returns when no round is under way or wanted any more */
  go(): Promise<void> {
    this.#isWanted = true
    this.#running ??= this.#run()
    return this.#running
  }

  /** Visits one tenant out of turn; once more if it is being visited. */
  call(tenantId: string): Promise<void> {
    this.#again.add(tenantId)
    return this.#semaphore.enter(tenantId, () => this.#visitWhileCalled(tenantId))
  }

  /** Begins no visit more. */
  stop(): void {
    this.#isWanted = false
    this.#again.clear()
    this.#semaphore.clear()
  }

  async #run(): Promise<void> {
    while (this.#isWanted) {
      this.#isWanted = false
      try {
        const tenantIds = await this.#marked()
        await Promise.all(tenantIds.map((id) => this.call(id)))
      } catch (error) {
        this.#failed(error)
      }
    }
    this.#running = null
  }

  async #visitWhileCalled(tenantId: string): Promise<void> {
    while (this.#again.delete(tenantId)) await this.#visit(tenantId).catch(this.#failed)
  }
}
