/**
 * Memberships that come and go while instances are killed. What was acknowledged is there, what was refused is not, and
 * nobody writes after the end of the right was acknowledged.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from '../support/client.ts'
import { openStore, type Store } from '../support/database/store.ts'
import { type DatabaseName, onEachDatabase } from '../support/databases.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { project, type RunningService, Workplace } from '../support/process/workplace.ts'
import { randomFrom } from '../support/random-numbers.ts'
import { runSeed } from '../support/run/extent.ts'
import { person } from '../support/service.ts'
import { watchCommits } from './commit-watch.ts'

const kills = 8
/** If none of the usual ones came within a write. */
const maxKills = 24
/** Of each life of an instance; the kill comes within one of them. */
const rounds = 6

const command = [process.execPath, join(project, 'test/entity/membership-app.ts')]

onEachDatabase('A right by a membership', (database) => {
  it('ends when the membership does, however instances are killed', async () => {
    await using history = await History.begin(database)
    for (let kill = 0; kill < kills || (!history.hasInterrupted && kill < maxKills); kill++)
      await history.live(kill)
    await history.requireWhole()
  })
})

class History implements AsyncDisposable {
  readonly #store: Store
  readonly #place: Workplace
  readonly #random = randomFrom(runSeed)
  readonly #acknowledged = new Set<string>()
  readonly #refused = new Set<string>()
  readonly #isShared: boolean
  /** The one that is killed, and the one that is not; on SQLite one process serves, and both are the same. */
  #killed!: RunningService
  #other!: RunningService
  #adminToken = ''
  #bobToken = ''
  #ids = { bob: '', team: '', note: '' }
  #membership: string | null = null
  #attempts = 0
  #lost = 0

  private constructor(store: Store, isShared: boolean) {
    this.#store = store
    this.#isShared = isShared
    this.#place = new Workplace(store.settings)
  }

  static async begin(database: DatabaseName): Promise<History> {
    const history = new History(await openStore(database), database === 'postgres')
    await history.#start()
    await history.#fill()
    if (database === 'postgres')
      for (const statement of watchCommits('note', history.#ids.bob)) await history.#store.rows(statement)
    return history
  }

  async #start(): Promise<void> {
    this.#killed = await this.#place.serve({}, command)
    this.#other = this.#isShared ? await this.#place.serve({}, command) : this.#killed
  }

  async #fill(): Promise<void> {
    this.#adminToken = (await createAdmin(this.#other)).accessToken
    const admin = this.#admin()
    const make = async (path: string, body: object): Promise<string> => {
      const made = await admin.post(path, body)
      assert.equal(made.status, 201, made.text)
      return made.body.id
    }
    const bob = person('bob')
    this.#ids.bob = await make('/api/users', bob)
    this.#ids.team = await make('/api/teams', { name: 'red' })
    this.#ids.note = await make('/api/notes', { body: 'first', teamId: this.#ids.team })
    const credentials = { userName: 'bob', password: bob['password'] }
    this.#bobToken = (await this.#other.anonymous.post('/api/auth/login', credentials)).body.accessToken
  }

  #admin(): Client {
    return new Client(this.#other.url).withToken(this.#adminToken)
  }

  #bobAt({ url }: RunningService): Client {
    return new Client(url).withToken(this.#bobToken)
  }

  /** Memberships come and go beside writes at both instances, and one instance is killed in the middle. */
  async live(kill: number): Promise<void> {
    const fatal = Math.floor(this.#random() * rounds)
    for (let round = 0; round < rounds; round++) {
      const writes = [this.#killed, this.#other].map((instance) => this.#write(instance, `${kill}.${round}`))
      const ends = round === fatal ? delay(this.#random() * 30).then(() => this.#killed.kill()) : null
      await delay(this.#random() * 15)
      await this.#toggle()
      await Promise.all([...writes, ends])
      if (ends !== null) await this.#restart()
    }
  }

  /** Whether a kill came within a write. */
  get hasInterrupted(): boolean {
    return this.#lost > 0
  }

  async #restart(): Promise<void> {
    this.#killed = await this.#place.serve({}, command)
    if (!this.#isShared) this.#other = this.#killed
    await this.#settle()
  }

  async #write(instance: RunningService, place: string): Promise<void> {
    await delay(this.#random() * 10)
    const body = `of bob ${place} ${++this.#attempts}`
    const answer = await this.#bobAt(instance)
      .patch(`/api/notes/${this.#ids.note}`, { body })
      .catch(() => null)
    if (answer?.status === 200) this.#acknowledged.add(body)
    else if (answer !== null && answer.status < 500) {
      assert.ok([403, 404].includes(answer.status), answer.text)
      this.#refused.add(body)
    } else this.#lost++
  }

  /** The membership ends or begins. After the reply to its end, no instance writes by it. */
  async #toggle(): Promise<void> {
    const { bob: memberId, team: teamId } = this.#ids
    if (this.#membership === null) {
      const made = await this.#admin()
        .post('/api/team-members', { teamId, memberId })
        .catch(() => null)
      if (made?.status === 201) this.#membership = made.body.id
      return
    }
    const ended = await this.#admin()
      .delete(`/api/team-members/${this.#membership}`)
      .catch(() => null)
    if (ended?.status !== 204) return // killed before the reply: whether it has ended shows later
    this.#membership = null
    const body = `of bob after the end ${++this.#attempts}`
    const later = await this.#bobAt(this.#other)
      .patch(`/api/notes/${this.#ids.note}`, { body })
      .catch(() => null)
    if (later !== null) assert.equal(later.status, 404, 'a write after the end of the right was acknowledged')
    this.#refused.add(body)
  }

  /** What a killed process has done of a membership without a reply. */
  async #settle(): Promise<void> {
    const { body } = await this.#admin().get('/api/team-members')
    this.#membership = body[0]?.id ?? null
  }

  /** The row, its events and its audit tell the same, and nothing contradicts a membership. */
  async requireWhole(): Promise<void> {
    const admin = this.#admin()
    const { body: shown } = await admin.get(`/api/notes/${this.#ids.note}`)
    const [note] = await this.#store.rows('SELECT version, body FROM note')
    const events = await this.#store.rows("SELECT data FROM event WHERE type = 'note.updated'")
    const written = new Set(events.map(({ data }) => bodyIn(data)))
    assert.deepEqual([note?.['body'], Number(note?.['version'])], [shown.body, events.length + 1])
    assert.ok(written.has(shown.body), 'a row without its event')
    const audited = await this.#store.rows(
      "SELECT count(*) AS count FROM audit WHERE action = 'note.updated'",
    )
    assert.equal(Number(audited[0]?.['count']), events.length, 'an event without its audit entry')
    assert.deepEqual(
      [...this.#acknowledged].filter((body) => !written.has(body)),
      [],
      'lost',
    )
    assert.deepEqual(
      [...this.#refused].filter((body) => written.has(body)),
      [],
      'refused, and done',
    )
    assert.ok(this.#acknowledged.size > 0 && this.#refused.size > 0, 'some had the right, and others had not')
    assert.ok(this.#lost > 0, 'no kill came within a write')
    if (this.#isShared) assert.deepEqual(await this.#store.rows('SELECT body FROM contradiction'), [])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#place[Symbol.asyncDispose]()
    await this.#store[Symbol.asyncDispose]()
  }
}

function bodyIn(data: unknown): string {
  const { body } = (typeof data === 'string' ? JSON.parse(data) : data) as { body: string } // of the payload
  return body
}
