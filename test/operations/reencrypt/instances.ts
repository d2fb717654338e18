/** Instances on one database that are restarted in turn, and callers that find a running one. */
import { pino } from 'pino'
import { type Config, loadConfig } from '../../../src/core/settings/config.ts'
import { createService, type Service } from '../../../src/service/service.ts'
import { Client } from '../../support/client.ts'
import { type EmptyDatabase, emptyDatabase } from '../../support/database/empty-database.ts'
import type { DatabaseName } from '../../support/databases.ts'
import { vaultFeature } from './secret-feature.ts'

export interface MasterKeys {
  present: string
  opening: string[]
}

interface Instance {
  service: Service
  client: Client
}

export class Fleet implements AsyncDisposable {
  readonly database: EmptyDatabase
  config: Config
  readonly #instances: (Instance | null)[] = []

  private constructor(database: EmptyDatabase) {
    this.database = database
    this.config = database.config
  }

  static async start(database: DatabaseName, keys: MasterKeys, instances: number): Promise<Fleet> {
    const fleet = new Fleet(await emptyDatabase(database))
    for (let place = 0; place < instances; place++) await fleet.#start(place, keys)
    return fleet
  }

  /** The running instances. */
  get running(): Instance[] {
    return this.#instances.filter((instance) => instance !== null)
  }

  /** Restarts each instance in turn; meanwhile, instances with the former and the new keys run together. */
  async roll(keys: MasterKeys, between: () => Promise<void>): Promise<void> {
    for (const place of this.#instances.keys()) {
      await this.#stop(place)
      await this.#start(place, keys)
      await between()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const place of this.#instances.keys()) await this.#stop(place)
    await this.database.drop()
  }

  async #start(place: number, { present, opening }: MasterKeys): Promise<void> {
    const settings = {
      ...this.database.settings,
      MASTER_KEY: present,
      PREVIOUS_MASTER_KEYS: opening.join(','),
      TRUST_PROXY: 'true',
    }
    this.config = loadConfig(settings, this.config.dataDir)
    const options = { log: pino({ level: 'silent' }), features: [vaultFeature] }
    const service = await createService(this.config, options)
    this.#instances[place] = { service, client: new Client(await service.start()) }
  }

  /** New requests go elsewhere, and those in progress are answered. */
  async #stop(place: number): Promise<void> {
    const instance = this.#instances[place]
    this.#instances[place] = null
    await instance?.service.stop()
  }
}
