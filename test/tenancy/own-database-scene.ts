import assert from 'node:assert/strict'
import { pino } from 'pino'
import { loadConfig } from '../../src/core/settings/config.ts'
import { createService, type Service } from '../../src/service/service.ts'
import { Client } from '../support/client.ts'
import { type EmptyDatabase, emptyDatabase } from '../support/database/empty-database.ts'
import type { DatabaseName } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { runHere } from '../support/process/run-here.ts'
import { callersAt, person, usualOptions } from '../support/service.ts'
import { type OwnDatabases, ownDatabases } from './own-databases.ts'

/** A service that is stopped and started again, with tenants that have databases of their own. */
export class Scene {
  readonly empty: EmptyDatabase
  readonly own: OwnDatabases
  readonly #lines: string[] = []
  #service: Service | null = null
  host = new Client('')
  anonymous = new Client('')

  constructor(empty: EmptyDatabase, own: OwnDatabases) {
    this.empty = empty
    this.own = own
  }

  static async begin(database: DatabaseName): Promise<Scene> {
    const made = await emptyDatabase(database)
    const settings = { ...made.settings, TRUST_PROXY: 'true' }
    const empty = { ...made, settings, config: loadConfig(settings, made.config.dataDir) }
    const scene = new Scene(empty, await ownDatabases(database, empty.config.dataDir))
    await scene.start()
    return scene
  }

  async start(): Promise<void> {
    this.#lines.length = 0
    const log = pino({ level: 'info' }, { write: (line: string) => void this.#lines.push(line) })
    this.#service = await createService(this.empty.config, { ...usualOptions, log })
    this.anonymous = new Client(await this.#service.start())
    await this.anonymous.post('/api/init/first-admin', person('admin'))
    this.host = await this.signIn()
  }

  async stop(): Promise<void> {
    await this.#service?.stop()
    this.#service = null
  }

  async end(): Promise<void> {
    await this.stop()
    await this.own.drop()
    await this.empty.drop()
  }

  /** A tenant with a product of its name. @returns the client of an administrator of the tenant */
  async newTenant(id: string): Promise<Client> {
    const connectionString = this.own.connectionString(id)
    const made = await this.host.post('/api/tenants', {
      id,
      name: id,
      connectionString,
      admin: person('boss'),
    })
    assert.equal(made.status, 201, made.text)
    const client = await this.signIn(id)
    assert.equal((await this.add(client, id)).status, 201)
    return client
  }

  /** @param id of a tenant; the administrator of the host if absent */
  async signIn(id?: string): Promise<Client> {
    const { signIn } = callersAt(this.anonymous, this.host)
    return (await signIn(id === undefined ? 'admin' : 'boss', id)).client
  }

  add(client: Client, name: string) {
    return client.post('/api/products', { name, price: 1 })
  }

  async names(client: Client): Promise<string[]> {
    const { status, body, text } = await client.get('/api/products')
    assert.equal(status, 200, text)
    return body.map(({ name }: { name: string }) => name).sort()
  }

  async status(id: string): Promise<string> {
    let status = ''
    await eventually('the state', soonMs, async () => {
      status = (await this.host.get(`/api/tenants/${id}/database`)).body.status
      return status !== 'pending'
    })
    return status
  }

  /** What the log says, as errors, of the database of the tenant. */
  errorsOf(id: string): string[] {
    const lines = this.#lines.map((line) => JSON.parse(line))
    const found = lines.filter(({ level, tenantId }) => level >= 50 && tenantId === id)
    return found.flatMap(({ fault }) => fault ?? [])
  }

  /** What the list of the tenants and their health say alike of the databases of these. */
  async faults(...ids: string[]): Promise<(string | null)[]> {
    const faultsIn = async (path: string, member: string) => {
      const { body } = await this.host.get(path)
      const found = (id: string) => body.find((each: Record<string, unknown>) => each[member] === id)
      return ids.map((id) => found(id)?.databaseFault ?? null)
    }
    const faults = await faultsIn('/api/tenant-overview', 'id')
    assert.deepEqual(await faultsIn('/api/tenant-health', 'tenantId'), faults)
    return faults
  }

  async command(...words: string[]) {
    const folder = this.empty.config.dataDir
    return runHere(words, { environment: { HOME: folder, ...this.empty.settings }, folder })
  }
}
