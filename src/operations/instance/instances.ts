/** The processes that serve from one catalogue. Each writes a row about itself, by which the others know it. */
import { hostname } from 'node:os'
import type { Context } from '../../core/context.ts'
import type { IntervalJob } from '../../core/feature/job.ts'
import { newId } from '../../core/id.ts'
import { installation } from '../../core/installation.ts'
import type { Config } from '../../core/settings/config.ts'
import type { InstallationData } from '../../database/data.ts'
import type { Database, Executor } from '../../database/executor.ts'
import { migrationHistory } from '../../database/migrate/history.ts'
import { version } from '../../database/version.ts'
import { storeIdentity } from '../../files/store/store-identity.ts'
import { aheadOf } from '../../webhooks/outgoing/clock.ts'
import type { AppliedMigration, Instance } from './schema.ts'
import { allInstances, deleteOtherInstances, type InstanceRow, upsertInstance } from './sql.ts'

const everyMs = 10_000
/** An instance counts as alive although two reports are missing: a database may be away for some seconds. */
const aliveMs = 30_000
const keptMs = 60 * 60 * 1000
export const maxListed = 200

export interface InstanceParts {
  /** The database of the catalogue. */
  database: Database
  clock: () => Date
  config: Pick<Config, 'dataDir' | 'filesUrl'>
}

export class Instances {
  readonly #database: Database
  readonly #clock: () => Date
  readonly #config: InstanceParts['config']
  /** The id of this instance. */
  readonly ownId = newId()
  readonly #startedAtMs: number
  /** The ids of the instances with another store of files about which the log has warned. */
  #warnedOf = ''

  constructor({ database, clock, config }: InstanceParts) {
    this.#database = database
    this.#clock = clock
    this.#config = config
    this.#startedAtMs = clock().getTime()
  }

  /** Writes the row of this instance, and removes those of instances that have not reported for long. */
  get job(): IntervalJob {
    return {
      name: 'report the instance',
      everyMs,
      atStart: true,
      run: async (context) => {
        const own = await this.#describe()
        const forgetBefore = new Date(Date.parse(own.seen_at) - keptMs).toISOString()
        const isOnly = this.#database.dialect === 'sqlite'
        await this.#database.transaction(async (transaction) => {
          await upsertInstance(instances(transaction), own)
          await deleteOtherInstances(instances(transaction), this.ownId, isOnly ? null : forgetBefore)
        })
        if (!isOnly) await this.#warnOfFiles(context)
      },
    }
  }

  /** The instances in the order of their start, including this one, also before its first report. */
  async list(context: Context): Promise<Instance[]> {
    const own = await this.#describe()
    const others = await allInstances(instances(context), maxListed)
    const aliveSince = new Date(Date.parse(own.seen_at) - aliveMs).toISOString()
    return [...others.filter(({ id }) => id !== this.ownId), own]
      .sort((one, other) => (one.id < other.id ? -1 : 1))
      .map((row) => ({
        id: row.id,
        host: row.host,
        processId: Number(row.process_id),
        version: row.version,
        nodeVersion: row.node_version,
        startedAt: row.started_at,
        lastSeenAt: row.seen_at,
        isAlive: row.seen_at >= aliveSince,
        isAnswering: row.id === this.ownId,
        clockDifferenceMs: row.clock_difference_ms === null ? null : Number(row.clock_difference_ms),
        sharesFiles:
          row.file_store === null || own.file_store === null ? null : row.file_store === own.file_store,
      }))
  }

  /** Warns once about the same instances. Otherwise a file would be missed only when somebody asks for it. */
  async #warnOfFiles(context: Context): Promise<void> {
    const apart = (await this.list(context)).filter((each) => each.isAlive && each.sharesFiles === false)
    const ids = apart.map(({ id }) => id).join()
    if (ids !== '' && ids !== this.#warnedOf)
      context.shared.log.warn(
        { instances: apart.map(({ host, processId }) => ({ host, processId })) },
        'instances keep files in different places, so that each answers 503 for files of the others: set FILES_URL to a store of all',
      )
    this.#warnedOf = ids
  }

  /** The times are by the clock of the database, so that those of several instances can be compared. */
  async #describe(): Promise<InstanceRow> {
    const aheadMs = await aheadOf(this.#database, this.#clock)
    const byDatabase = (ms: number) => new Date(ms - (aheadMs ?? 0)).toISOString()
    return {
      id: this.ownId,
      host: hostname(),
      process_id: process.pid,
      version,
      node_version: process.version,
      started_at: byDatabase(this.#startedAtMs),
      seen_at: byDatabase(this.#clock().getTime()),
      clock_difference_ms: aheadMs === null ? null : Math.round(aheadMs),
      file_store: this.#database.dialect === 'sqlite' ? null : await storeIdentity(this.#config),
    }
  }
}

/** @returns the migrations of the catalogue's database, newest first */
export async function listMigrations({ shared }: Context): Promise<AppliedMigration[]> {
  const known = new Set(shared.migrations.map(({ name }) => name))
  const history = await migrationHistory(shared.catalogueDatabase)
  return history.map(({ name, moment }) => ({ name, appliedAt: moment, isKnown: known.has(name) }))
}

function instances(from: Context | Executor): InstallationData {
  return installation(from, 'every instance serves all tenants')
}
