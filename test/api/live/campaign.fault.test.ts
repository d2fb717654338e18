/**
 * Ten thousand random changes while connections are cut at any byte and instances are killed: each list of each client equals
 * a fresh read whenever all is quiet. On PostgreSQL the clients go from one instance to the other.
 */
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from '../../support/client.ts'
import { openStore } from '../../support/database/store.ts'
import { type DatabaseName, onEachDatabase } from '../../support/databases.ts'
import { createAdmin } from '../../support/process/administrator.ts'
import { project, type RunningService, Workplace } from '../../support/process/workplace.ts'
import { randomFrom } from '../../support/random-numbers.ts'
import { runSeed } from '../../support/run/extent.ts'
import { callersAt } from '../../support/service.ts'
import { Model, type Whereabouts } from './model.ts'

const changes = 10_000
const changesOfRound = 200
/** The rounds from one kill to the next. */
const killEvery = 4
const rightsEvery = 5
/** Longer than rights are kept. */
const rightsMs = 1500

const command = [process.execPath, join(project, 'test/api/live/task-process.ts')]

onEachDatabase('Lists that are followed', (database) => {
  it('equal a fresh read, however instances are killed', async (t) => {
    await using instances = await Instances.start(database)
    const random = randomFrom(runSeed + 1)
    const { newTenant, signIn } = await instances.callers()
    await using model = new Model(await newTenant(), runSeed, instances)
    await model.begin(signIn)
    let kills = 0
    for (let round = 0; round * changesOfRound < changes; round++) {
      const isFatal = round % killEvery === 1
      const killed = isFatal ? delay(random() * 300).then(() => instances.kill()) : null
      await Promise.all([model.change(changesOfRound), killed])
      if (isFatal) await model.recover()
      if (isFatal) kills++
      if (round % rightsEvery === 2) await model.changeRights(() => delay(rightsMs))
      await model.requireEqual(`round ${round}`)
    }
    t.diagnostic(`${changes} changes, ${model.cuts} cuts, ${kills} kills, ${model.resets} resets`)
  })
})

/** On PostgreSQL two, of which the second is killed; on SQLite, which one process serves, that one. */
class Instances implements Whereabouts, AsyncDisposable {
  readonly #store: Awaited<ReturnType<typeof openStore>>
  readonly #place: Workplace
  readonly #running: RunningService[] = []
  #restarted: Promise<void> = Promise.resolve()
  #turn = 0

  private constructor(store: Awaited<ReturnType<typeof openStore>>) {
    this.#store = store
    this.#place = new Workplace({ ...store.settings, TRUST_PROXY: 'true' })
  }

  static async start(database: DatabaseName): Promise<Instances> {
    const instances = new Instances(await openStore(database))
    for (let count = 0; count < (database === 'postgres' ? 2 : 1); count++)
      instances.#running.push(await instances.#place.serve({}, command))
    return instances
  }

  async callers() {
    const [{ url } = { url: '' }] = this.#running
    const { accessToken } = await createAdmin({ anonymous: new Client(url) })
    return callersAt(new Client(url), new Client(url).withToken(accessToken))
  }

  /** Writes stay with the first, as its address is; streams take turns. */
  move(client: Client, isStream = false): Client {
    const place = isStream ? this.#turn++ % this.#running.length : 0
    return new Client(this.#running[place]?.url ?? '', { ...client.headers })
  }

  found(): Promise<void> {
    return this.#restarted
  }

  async kill(): Promise<void> {
    const place = this.#running.length - 1
    const again = async () => {
      await this.#running[place]?.kill()
      this.#running[place] = await this.#place.serve({}, command)
    }
    this.#restarted = again()
    await this.#restarted
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#place[Symbol.asyncDispose]()
    await this.#store[Symbol.asyncDispose]()
  }
}
