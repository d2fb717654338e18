/**
 * A service under attack, started as its users start it: what its well-behaved tenant noticed of each attack, and what
 * the process used meanwhile.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder, type RunningService, removeFolder, startService } from '../../bench/service.ts'
import { peakWhile } from '../../bench/usage.ts'
import { createPostgresDatabase, type DatabaseName } from '../support/databases.ts'
import { proxyAddress } from './address.ts'
import type { AttackOutcome, Order } from './attacker.ts'
import { Child } from './child.ts'
import type { Counts } from './front.ts'
import type { Observation, Question } from './observer.ts'
import { prepareTarget, signInAgain, type Target } from './target.ts'

export interface Finding extends Observation {
  attack: string
  counts: Counts
  peakMb: number
  /** The longest that the event loop of the service was late by its own account; `NaN` when it is gone. */
  lagMs: number
  /** The process ended, or answered nothing for so long that it had to be ended. */
  died: boolean
  /** What the log says at the level `error` and above, and how often. */
  errors: Record<string, number>
}

const quietWithinMs = 10_000
/** What is answered within that time is quiet. */
const quietMs = 25
const sampleEveryMs = 50

export class Siege implements AsyncDisposable {
  readonly #database: DatabaseName
  readonly #profileFolder: string | undefined
  readonly #folder = makeFolder()
  readonly #observer = new Child<Question, Observation>('observer.ts')
  readonly #attacker = new Child<Order, AttackOutcome>('attacker.ts')
  #postgres: Awaited<ReturnType<typeof createPostgresDatabase>> | null = null
  #service: RunningService | null = null
  #target: Target | null = null
  #readOfLog = 0

  /** @param profileFolder gets a CPU profile of the service when it stops */
  constructor(database: DatabaseName, profileFolder?: string) {
    this.#database = database
    this.#profileFolder = profileFolder
  }

  async prepare(): Promise<void> {
    if (this.#database === 'postgres') this.#postgres = await createPostgresDatabase()
    const service = await this.#start()
    const databaseUrl = this.#postgres?.url ?? `sqlite:${service.databaseFile}`
    this.#target = await prepareTarget(service.url, databaseUrl)
    await this.#observer.ask({ target: this.#target })
  }

  /** @param attack `null` for none */
  async endure(attack: string | null, ms: number): Promise<Finding> {
    const { service, target } = this.#running()
    await this.#quiet()
    this.#newErrors()
    await lagMs(service.url)
    await this.#observer.ask(null)
    const { value: outcome, peakMb } = await peakWhile(service.pid, sampleEveryMs, async () => {
      if (attack !== null) await this.#attacker.ask({ name: attack, target })
      await sleep(ms)
      const ended = attack === null ? { counts: {} } : await this.#attacker.ask(null)
      await this.#quiet()
      return ended
    })
    if (outcome.error !== undefined) throw new Error(`${attack}: ${outcome.error}`)
    const found = await this.#observer.ask(null)
    const died = !(await isAnswering(service.url, quietWithinMs))
    const lag = died ? Number.NaN : await lagMs(service.url)
    if (died) await this.#startAgain(target)
    const errors = this.#newErrors()
    return { ...found, attack: attack ?? 'idle', counts: outcome.counts, peakMb, lagMs: lag, died, errors }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#attacker.stop()
    this.#observer.stop()
    if (this.#service !== null && isAlive(this.#service.pid)) await this.#service.stop()
    await this.#postgres?.drop()
    removeFolder(this.#folder)
  }

  #running(): { service: RunningService; target: Target } {
    if (this.#service === null || this.#target === null) throw new Error('Nothing is prepared.')
    return { service: this.#service, target: this.#target }
  }

  /** Since the last time. */
  #newErrors(): Record<string, number> {
    const log = readFileSync(join(this.#folder, 'log.txt'))
    const lines = log.subarray(this.#readOfLog).toString().split('\n')
    this.#readOfLog = log.length
    const errors: Record<string, number> = {}
    for (const line of lines) {
      const text = /^\{"level":[56]0.*?"(?:message|msg)":"([^"]*)/.exec(line)?.[1]
      if (text !== undefined) errors[text] = (errors[text] ?? 0) + 1
    }
    return errors
  }

  /** With its default settings, but for a proxy that names addresses, and where its data is. */
  async #start(): Promise<RunningService> {
    const settings = {
      TRUST_PROXY: proxyAddress,
      ...(this.#postgres !== null && { DATABASE_URL: this.#postgres.url }),
      ...(this.#profileFolder !== undefined && {
        NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${this.#profileFolder}`,
      }),
    }
    this.#service = await startService(settings, this.#folder)
    return this.#service
  }

  async #startAgain(target: Target): Promise<void> {
    const { pid } = this.#running().service
    if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    const service = await this.#start()
    this.#target = await signInAgain(service.url, target)
    await this.#observer.ask({ target: this.#target })
  }

  /** Waits until the attack is over for the service too, in so far as that comes soon. */
  async #quiet(): Promise<void> {
    const { service } = this.#running()
    const begin = performance.now()
    let inTime = 0
    while (inTime < 5 && performance.now() - begin < quietWithinMs && isAlive(service.pid)) {
      const asked = performance.now()
      const answered = await isAnswering(service.url, quietWithinMs)
      inTime = answered && performance.now() - asked < quietMs ? inTime + 1 : 0
      await sleep(quietMs)
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function isAnswering(url: string, withinMs: number): Promise<boolean> {
  return (await textAt(`${url}/health/live`, withinMs)) !== null
}

/** Since it was asked the last time. */
async function lagMs(url: string): Promise<number> {
  const text = await textAt(`${url}/metrics`, quietWithinMs)
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text ?? '')?.[1]) * 1000
}

/** @returns `null` unless it is answered with 200 in time */
async function textAt(url: string, withinMs: number): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(withinMs) })
    return response.status === 200 ? await response.text() : null
  } catch {
    return null
  }
}
