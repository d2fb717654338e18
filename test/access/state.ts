/** Random rows of every entity, made by an administrator. */
import assert from 'node:assert/strict'
import { application } from './application.ts'
import type { World } from './oracle.ts'
import type { Pick } from './pick.ts'
import { pathOf, readWorld, type Scene } from './scene.ts'

const words = ['oak', 'elm', 'ash', 'fir', 'yew']

/** @returns the rows that were made */
export async function fill(scene: Scene, pick: Pick): Promise<World> {
  const { admin, userIds } = scene
  let count = 0
  const text = () => `${pick(words)} ${pick(words)} ${count++}`
  const paths = new Map(application.map(({ name, routes }) => [name, pathOf(routes)]))
  const make = async (entity: string, input: object): Promise<string> => {
    const { status, text: told, body } = await admin.client.post(paths.get(entity) ?? '', input)
    assert.equal(status, 201, told)
    return body.id
  }
  const several = async (entity: string, number: number, input: () => object): Promise<string[]> => {
    const ids: string[] = []
    for (let index = 0; index < number; index++) ids.push(await make(entity, input()))
    return ids
  }
  const someone = () => pick(userIds)
  const sometimes = <T>(value: () => T): T | null => (pick([true, true, false]) ? value() : null)
  const teams = await several('team', 4, () => ({ name: text() }))
  await several('membership', 5, () => ({ teamId: pick(teams), memberId: someone() }))
  const clients = await several('client', 7, () => ({
    name: text(),
    ownerId: sometimes(someone),
    secret: sometimes(text),
  }))
  const tickets = await several('ticket', 16, () => ({
    title: text(),
    code: sometimes(() => `code ${count++}`),
    note: sometimes(text),
    rank: pick([1, 2, 3, 9]),
    stage: pick(['early', 'late']),
    state: pick(['open', 'open', 'closed']),
    clientId: pick(clients),
    teamId: sometimes(() => pick(teams)),
    assigneeId: sometimes(someone),
    lines: pick([0, 1, 2]) === 0 ? [] : [{ label: text(), price: pick([1, 2, 5]) }, { label: text() }],
  }))
  for (const id of clients) {
    if (pick([true, false])) continue
    const favourite = await admin.client.patch(`${paths.get('client')}/${id}`, { favouriteId: pick(tickets) })
    assert.equal(favourite.status, 200, favourite.text)
  }
  const comments = await several('comment', 14, () => ({
    ticketId: pick(tickets),
    body: text(),
    aside: sometimes(text),
  }))
  await several('reaction', 10, () => ({ commentId: pick(comments), face: pick(['smile', 'frown']) }))
  await several('report', 7, () => ({ title: text(), authorId: someone(), pages: pick([1, 2, 3]) }))
  await several('parcel', 7, () => ({ label: text(), holderId: someone(), weight: pick([1, 2]) }))
  await several('notice', 7, () => ({
    title: text(),
    teamId: sometimes(() => pick(teams)),
    remark: sometimes(text),
  }))
  return readWorld(scene)
}
