/** Random changes beside clients that lose their connections: when all is quiet, every list is what a fresh read gives. */
import assert from 'node:assert/strict'
import type { Answer, Client } from '../../support/client.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { randomFrom } from '../../support/random-numbers.ts'
import { runsOf } from '../../support/run/extent.ts'
import type { SignedIn, TestTenant } from '../../support/service.ts'
import { person, uniqueName } from '../../support/service.ts'
import { type FollowedList, Follower } from './follower.ts'

export const canary = 'CANARY-OF-A-SECRET'
const maxTasks = 60
const changesAtOnce = 10
const titles = [
  'Straße',
  'STRASSE',
  'ﬁn',
  'x',
  'İx',
  '😀 x',
  'e\u0301x',
  'éx',
  'x'.repeat(300),
  'y'.repeat(250),
]

const regions = ['north', 'south', 'west']

/** Where clients go, and what is done when an instance is lost. */
export interface Whereabouts {
  move(client: Client, isStream?: boolean): Client
  /** Resolves when there is an instance again. */
  found(): Promise<void>
}

const oneInstance: Whereabouts = { move: (client) => client, found: async () => undefined }

interface Caller {
  id: string
  role: string
  client: Client
}

export class Model implements AsyncDisposable {
  readonly #tenant: TestTenant
  readonly #random: () => number
  #callers: Caller[] = []
  #boards: string[] = []
  #tasks: string[] = []
  #seats: string[] = []
  followers: Follower[] = []
  cuts = 0
  readonly #whereabouts: Whereabouts

  constructor(tenant: TestTenant, seed: number, whereabouts = oneInstance) {
    this.#tenant = tenant
    this.#random = randomFrom(seed)
    this.#whereabouts = whereabouts
  }

  get #admin(): Client {
    return this.#whereabouts.move(this.#tenant.admin)
  }

  async begin(signIn: (userName: string, tenantId?: string) => Promise<SignedIn>): Promise<void> {
    for (const name of ['first', 'second', 'third'].slice(0, runsOf(2, 3))) {
      const role = uniqueName('Role')
      await this.#post('/api/roles', { name: role, permissions: ['task:read', 'task:write'] })
      const userName = uniqueName(name)
      const { id } = await this.#post('/api/users', { ...person(userName), roles: ['User', role] })
      this.#callers.push({ id, role, client: (await signIn(userName, this.#tenant.id)).client })
    }
    for (let count = 0; count < 4; count++)
      this.#boards.push((await this.#post('/api/boards', { name: `Board ${count}` })).id)
    for (let count = 0; count < 10; count++) await this.#create()
    const lists: Record<string, FollowedList>[] = [
      {
        all: {},
        open: { filter: { state: 'open' } },
        mine: { filter: { ownerId: 'me' }, fields: 'id,title' },
      },
      {
        middle: { filter: { 'rank[gte]': 3, 'rank[lt]': 8 }, fields: 'id,rank' },
        some: { filter: { 'boardId[in]': `${this.#boards[0]},${this.#boards[1]}` }, fields: 'id,boardId' },
        folded: { filter: { 'title[icontains]': 'STRASSE' } },
        none: { filter: { 'boardId[isNull]': 'true', 'state[neq]': 'done' }, fields: 'id,title' },
        x: { filter: { 'title[contains]': 'x' }, fields: 'id,state' },
      },
    ]
    for (const { client, id } of this.#callers)
      for (const some of lists) this.followers.push(new Follower(client, id, some))
    for (const some of lists) this.followers.push(new Follower(this.#admin, '', some))
    await Promise.all(this.followers.map((follower) => follower.begin()))
  }

  /** Changes, a few at the same time, while connections end. */
  async change(count: number): Promise<void> {
    for (let done = 0; done < count; done += changesAtOnce) {
      if (this.#random() < 0.5) {
        this.#any(this.followers).cutAfter(Math.floor(this.#random() * 3000))
        this.cuts++
      }
      await Promise.all(Array.from({ length: changesAtOnce }, () => this.#changeOne()))
      for (const follower of this.followers)
        if (follower.isCut && this.#random() < 0.4) await this.#reopen(follower)
    }
  }

  /** Attributes, or a right to all rows, come or go, which sends nothing: the callers read again. */
  async changeRights(wait: () => Promise<unknown>): Promise<void> {
    const { role, id } = this.#any(this.#callers)
    const isMore = this.#random() < 0.3
    const permissions = ['task:read', 'task:write', ...(isMore ? ['task:sweep'] : [])]
    const attributes = { regions: regions.filter(() => this.#random() < 0.4) }
    const changed = [
      await this.#admin.put(`/api/roles/${role}`, { permissions }),
      await this.#admin.put(`/api/users/${id}`, { attributes }),
    ]
    for (const { status, text } of changed) assert.equal(status, 200, text)
    await wait()
    await this.#quiet('after a change of rights') // what was decided before arrives before the new read
    for (const follower of this.followers) await follower.refresh()
  }

  /** After an instance was lost with requests in progress: what has become of them shows now. */
  async recover(): Promise<void> {
    const { status, text, body } = await this.#admin.get('/api/tasks?limit=100&fields=id')
    assert.equal(status, 200, text)
    this.#tasks = body.map(({ id }: { id: string }) => id)
  }

  /** Waits until every client has everything, and compares. */
  async requireEqual(what: string): Promise<void> {
    await this.#quiet(what)
    for (const [place, follower] of this.followers.entries())
      await follower.requireEqual(`${what}, client ${place}`)
    const own = this.followers.slice(0, -2)
    assert.ok(
      own.every(({ text }) => !text.includes(canary)),
      'a hidden member was sent',
    )
  }

  /** Of all clients. */
  get resets(): number {
    return this.followers.reduce((sum, { resets }) => sum + resets, 0)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.followers.map((follower) => follower.close()))
  }

  /** Every client has a connection that is not cut, and everything until now. */
  async #quiet(what: string): Promise<void> {
    for (const follower of this.followers) {
      follower.cutAfter(Number.POSITIVE_INFINITY)
      if (follower.isCut) await this.#reopen(follower)
    }
    const { id } = await this.#post('/api/notices', { text: 'Quiet' })
    await eventually(what, soonMs, async () => {
      for (const follower of this.followers) if (follower.isCut) await this.#reopen(follower)
      return this.followers.every((follower) => follower.hasSeen(id))
    })
  }

  async #reopen(follower: Follower): Promise<void> {
    follower.client = this.#whereabouts.move(follower.client, true)
    await follower.open().catch((error: unknown) => {
      if (error instanceof assert.AssertionError) throw error // else the instance is lost
    })
  }

  #any<T>(some: readonly T[]): T {
    const found = some[Math.floor(this.#random() * some.length)]
    assert.ok(found !== undefined)
    return found
  }

  #members(): Record<string, unknown> {
    const all: Record<string, unknown> = {
      title: this.#any(titles),
      rank: Math.floor(this.#random() * 10),
      secret: `${canary} ${this.#random()}`,
      due: `${this.#random()}`,
      ownerId: this.#any([null, ...this.#callers.map(({ id }) => id)] as const),
      boardId: this.#any([null, ...this.#boards]),
      region: this.#any([null, ...regions]),
    }
    return Object.fromEntries(Object.entries(all).filter(() => this.#random() < 0.35))
  }

  async #create(): Promise<void> {
    const made = await this.#sent(() =>
      this.#admin.post('/api/tasks', { title: this.#any(titles), ...this.#members() }),
    )
    if (made?.status === 201) this.#tasks.push(made.body.id)
  }

  async #changeOne(): Promise<void> {
    const kind = this.#random()
    if (this.#tasks.length < 5 || (kind < 0.15 && this.#tasks.length < maxTasks)) return this.#create()
    const id = this.#any(this.#tasks)
    if (kind < 0.22) this.#tasks = this.#tasks.filter((each) => each !== id)
    if (kind >= 0.3 && kind < 0.35) await this.#changeSeat()
    else if (kind >= 0.35 && kind < 0.37) await this.#changeKeeper()
    else await this.#sent(() => this.#changeTask(id, kind))
  }

  #changeTask(id: string, kind: number): Promise<Answer> {
    const path = `/api/tasks/${id}`
    if (kind < 0.22) return this.#admin.delete(path)
    if (kind < 0.3) return this.#admin.post(`${path}/finish`, {})
    if (kind > 0.4)
      return this.#admin.patch(path, { ...this.#members(), ...(kind > 0.9 && { state: 'open' }) })
    const state = this.#any(['open', 'done'])
    return this.#admin.put(path, { title: this.#any(titles), ...this.#members(), state })
  }

  async #changeSeat(): Promise<void> {
    const seat = this.#seats.pop()
    if (seat !== undefined && this.#random() < 0.5) {
      await this.#sent(() => this.#admin.delete(`/api/seats/${seat}`))
      return
    }
    if (seat !== undefined) this.#seats.push(seat)
    const body = { boardId: this.#any(this.#boards), personId: this.#any(this.#callers).id }
    const made = await this.#sent(() => this.#admin.post('/api/seats', body))
    if (made?.status === 201) this.#seats.push(made.body.id)
  }

  async #changeKeeper(): Promise<void> {
    const keeperId = this.#any([null, ...this.#callers.map(({ id }) => id)] as const)
    await this.#sent(() => this.#admin.patch(`/api/boards/${this.#any(this.#boards)}`, { keeperId }))
  }

  /** A row may have gone meanwhile, or be in another state. @returns `null` if the reply was lost */
  async #sent(send: () => Promise<Answer>): Promise<Answer | null> {
    const answer = await send().catch(() => null)
    if (answer === null) await this.#whereabouts.found()
    else assert.ok(answer.status < 300 || [400, 404, 409, 412].includes(answer.status), answer.text)
    return answer
  }

  async #post(path: string, body: object): Promise<{ id: string }> {
    const { status, text, body: made } = await this.#admin.post(path, body)
    assert.ok(status === 201 || status === 200, text)
    return made
  }
}
