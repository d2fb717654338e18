/** Random changes beside clients that lose their connections: when all is quiet, every list is what a fresh read gives. */
import assert from 'node:assert/strict'
import type { Client } from '../../support/client.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { randomFrom } from '../../support/random-numbers.ts'
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
  /** Where the next client goes. */
  readonly #move: (client: Client) => Client

  constructor(tenant: TestTenant, seed: number, move: (client: Client) => Client = (client) => client) {
    this.#tenant = tenant
    this.#random = randomFrom(seed)
    this.#move = move
  }

  async begin(signIn: (userName: string, tenantId?: string) => Promise<SignedIn>): Promise<void> {
    for (const name of ['first', 'second', 'third']) {
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
    for (const some of lists) this.followers.push(new Follower(this.#tenant.admin, '', some))
    await Promise.all(this.followers.map((follower) => follower.begin()))
  }

  /** Changes, a few at the same time, while connections end. */
  async change(count: number): Promise<void> {
    for (let done = 0; done < count; done += changesAtOnce) {
      if (this.#random() < 0.5) this.#any(this.followers).cutAfter(Math.floor(this.#random() * 3000))
      await Promise.all(Array.from({ length: changesAtOnce }, () => this.#changeOne()))
      for (const follower of this.followers)
        if (follower.isCut && this.#random() < 0.4) await this.#reopen(follower)
    }
  }

  /** A right to all rows comes or goes, which sends nothing: the caller reads again. */
  async changeRights(wait: () => Promise<unknown>): Promise<void> {
    const { role } = this.#any(this.#callers)
    const isMore = this.#random() < 0.7
    const permissions = ['task:read', 'task:write', ...(isMore ? ['task:sweep'] : [])]
    const { status, text } = await this.#tenant.admin.put(`/api/roles/${role}`, { permissions })
    assert.equal(status, 200, text)
    await wait()
    for (const follower of this.followers) await follower.refresh()
  }

  /** Waits until every client has everything, and compares. */
  async requireEqual(what: string): Promise<void> {
    for (const follower of this.followers) {
      follower.cutAfter(Number.POSITIVE_INFINITY)
      if (follower.isCut) await this.#reopen(follower)
    }
    const { id } = await this.#post('/api/notices', { text: 'Quiet' })
    await eventually(what, soonMs, async () => {
      for (const follower of this.followers) if (follower.isCut) await this.#reopen(follower)
      return this.followers.every((follower) => follower.hasSeen(id))
    })
    for (const [place, follower] of this.followers.entries())
      await follower.requireEqual(`${what}, client ${place}`)
    const own = this.followers.slice(0, -2)
    assert.ok(
      own.every(({ text }) => !text.includes(canary)),
      'a hidden member was sent',
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.followers.map((follower) => follower.close()))
  }

  async #reopen(follower: Follower): Promise<void> {
    follower.client = this.#move(follower.client)
    await follower.open()
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
    }
    return Object.fromEntries(Object.entries(all).filter(() => this.#random() < 0.35))
  }

  async #create(): Promise<void> {
    this.#tasks.push((await this.#post('/api/tasks', { title: this.#any(titles), ...this.#members() })).id)
  }

  async #changeOne(): Promise<void> {
    const { admin } = this.#tenant
    const kind = this.#random()
    if (this.#tasks.length < 5 || (kind < 0.15 && this.#tasks.length < maxTasks)) return this.#create()
    const id = this.#any(this.#tasks)
    if (kind < 0.22) {
      this.#tasks = this.#tasks.filter((each) => each !== id)
      return settled(admin.delete(`/api/tasks/${id}`))
    }
    if (kind < 0.3) return settled(admin.post(`/api/tasks/${id}/finish`, {}))
    if (kind < 0.35) return this.#changeSeat()
    if (kind < 0.4)
      return settled(
        admin.put(`/api/tasks/${id}`, {
          title: this.#any(titles),
          ...this.#members(),
          state: this.#any(['open', 'done']),
        }),
      )
    await settled(
      admin.patch(`/api/tasks/${id}`, { ...this.#members(), ...(kind > 0.9 && { state: 'open' }) }),
    )
  }

  async #changeSeat(): Promise<void> {
    const seat = this.#seats.pop()
    if (seat !== undefined && this.#random() < 0.5)
      return settled(this.#tenant.admin.delete(`/api/seats/${seat}`))
    if (seat !== undefined) this.#seats.push(seat)
    const body = { boardId: this.#any(this.#boards), personId: this.#any(this.#callers).id }
    this.#seats.push((await this.#post('/api/seats', body)).id)
  }

  async #post(path: string, body: object): Promise<{ id: string }> {
    const { status, text, body: made } = await this.#tenant.admin.post(path, body)
    assert.ok(status === 201 || status === 200, text)
    return made
  }
}

/** A row may have gone meanwhile, or be in another state. */
async function settled(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer
  assert.ok(status < 300 || [400, 404, 409, 412].includes(status), text)
}
