/** The output of `tenantry migrate`: a line for each database, and a summary. */
import { ServiceError } from '../core/errors.ts'
import type { MigrationOutcome } from '../tenancy/migrate-databases.ts'
import { deepestReason } from './failure.ts'
import { type Output, Progress } from './terminal.ts'

/** All failures are counted, but not all are listed: a lost network causes thousands of equal ones. */
const maxListed = 100
const maxNamed = 20

export class MigrationReport {
  readonly #progress: Progress
  readonly #isTerminal: boolean
  readonly #dryRun: boolean
  #upToDate = 0
  #migrated = 0
  readonly #failed: { tenantId: string; reason: string }[] = []
  #failures = 0

  constructor(output: Output, dryRun: boolean) {
    this.#progress = new Progress(output)
    this.#isTerminal = output.isTTY === true
    this.#dryRun = dryRun
  }

  addShared(outcome: MigrationOutcome): void {
    const text = describe(outcome)
    this.#progress.line(`The shared database${text === upToDate ? ` is ${text}.` : `: ${text}`}`)
  }

  /** @param tenantId a tenant of the database */
  add(tenantId: string, outcome: MigrationOutcome): void {
    const text = describe(outcome)
    if (outcome.kind === 'failed') this.#fail(tenantId, text)
    else if (text === upToDate) this.#upToDate++
    else this.#migrated++
    // A terminal shows successes only as a count. A dry run lists all pending migrations.
    const isWorthLine = !this.#isTerminal || outcome.kind === 'failed' || (this.#dryRun && text !== upToDate)
    if (isWorthLine) this.#progress.line(`${tenantId}: ${text}`)
    this.#progress.show(`Databases of tenants done: ${this.#count}, failed: ${this.#failures}`)
  }

  /** @throws ServiceError when a database has failed */
  end(): void {
    const line = (text: string): void => this.#progress.line(text)
    this.#progress.clear()
    if (this.#count === 0) return
    const changed = this.#dryRun ? 'with pending migrations' : 'migrated'
    line(
      `Databases of tenants: ${this.#upToDate} up to date, ${this.#migrated} ${changed}, ${this.#failures} failed.`,
    )
    if (this.#failures === 0) return
    for (const { tenantId, reason } of this.#failed) line(`  ${tenantId}: ${reason}`)
    if (this.#failures > maxListed) line(`  and ${this.#failures - maxListed} more`)
    throw new ServiceError('unavailable', `Not migrated: the databases of ${this.#names()}.`)
  }

  get #count(): number {
    return this.#upToDate + this.#migrated + this.#failures
  }

  #fail(tenantId: string, reason: string): void {
    this.#failures++
    if (this.#failed.length < maxListed) this.#failed.push({ tenantId, reason })
  }

  #names(): string {
    const names = this.#failed.slice(0, maxNamed).map(({ tenantId }) => tenantId)
    const more = this.#failures - names.length
    return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  }
}

const upToDate = 'up to date'

function describe(outcome: MigrationOutcome): string {
  if (outcome.kind === 'failed') return `failed ${deepestReason(outcome.reason)}`.trim()
  if (outcome.kind === 'done') {
    return outcome.applied.length === 0 ? upToDate : `migrated, ${count(outcome.applied.length)} applied`
  }
  if (outcome.pending.length === 0) return upToDate
  const missing = outcome.exists ? '' : 'not created yet, '
  return `${missing}${count(outcome.pending.length)} pending: ${outcome.pending.join(', ')}`
}

function count(migrations: number): string {
  return migrations === 1 ? '1 migration' : `${migrations} migrations`
}
