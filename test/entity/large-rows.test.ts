/** Rows as long as they may be, after short ones: what a list holds of them at once. JSON writes a control character with six bytes. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { defaultLimits } from '../../src/api/graphql/document/limits.ts'
import { entity, integer, many, text } from '../../src/index.ts'
import { onEachDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { type Recorder, recorderOf } from '../support/graphql/statement-recorder.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { migrated } from './migrated.ts'

const long = text({ min: 0, max: 100_000 })
const scroll = entity('scroll', { fields: { number: integer(), body: long }, sort: ['number'], audit: false })
const folder = entity('folder', {
  fields: { number: integer(), sheets: many({ body: long }, { max: 8 }) },
  audit: false,
})
const longBody = '\u0001'.repeat(100_000)
const longBytes = 6 * longBody.length

const shortRows = 20
const longRows = 20
/** What is read as a whole; PostgreSQL returns a batch before the size of its rows is known. */
const mostAtOnce = { sqlite: 2_100_000, postgres: 8_400_000 }
/** The size at which a page ends. */
const pageBytes = 1024 * 1024

onEachDatabase('A list of long rows', (database) => {
  let service: TestService
  let tenant: TestTenant
  let recorder: Recorder
  before(async () => {
    service = await startService(database, {}, { features: migrated([scroll, folder]) })
    tenant = await service.newTenant()
    recorder = await recorderOf(service, tenant, { ...defaultLimits, bytes: 9_000_000 })
    const { context } = recorder.recording()
    for (let number = 0; number < shortRows + longRows; number++)
      await scroll.create(context, { number, body: number < shortRows ? '' : longBody })
    for (let number = 0; number < 6; number++)
      await folder.create(context, {
        number,
        sheets: number < 2 ? [] : [{ body: longBody }, { body: longBody }],
      })
  })
  after(() => service.stop())

  /** Calls the route of the list, and counts what the database returns for it. */
  const listed = async (of: typeof scroll | typeof folder, query: Record<string, unknown>) => {
    const list = of.routes.find(({ method }) => method === 'GET')
    const { context, sent } = recorder.recording()
    const reply = await list?.handle(context, { query, path: {}, headers: {}, body: {} } as never)
    let json = ''
    for await (const chunk of contentOf(reply)) json += Buffer.from(chunk).toString()
    const { body } = reply as { body: { reservation: { release(): void } | null } }
    body.reservation?.release()
    return { json, rows: JSON.parse(json), most: Math.max(...sent.map((statement) => statement.mostAtOnce)) }
  }

  const requests: Record<string, Record<string, unknown>> = {
    'in the order of creation': { limit: 50 },
    'in an order with an index': { limit: 50, sort: 'number' },
    'in another order': { limit: 50, sort: '-number' },
    'with a filter': { limit: 50, 'number[gte]': '0' },
  }
  for (const [kind, query] of Object.entries(requests))
    it(`holds a part of a page at once: ${kind}`, async () => {
      const { json, rows, most } = await listed(scroll, query)
      assert.ok(rows.length >= 2 && rows.length < 50, `${rows.length} rows`)
      assert.ok(
        json.length > longBytes && json.length <= pageBytes + mostAtOnce[database],
        `${json.length} bytes of the page`,
      )
      assert.ok(most >= longBytes && most <= mostAtOnce[database], `${most} bytes at once`)
    })

  it('holds a part of the whole list at once', async () => {
    const { rows, most } = await listed(scroll, {})
    assert.deepEqual(
      rows.map(({ number }: { number: number }) => number),
      Array.from({ length: shortRows + longRows }, (_each, number) => number),
    )
    assert.ok(most >= longBytes && most <= mostAtOnce[database], `${most} bytes at once`)
  })

  it('has rows with long lists too', async () => {
    const { rows, most } = await listed(folder, {})
    assert.deepEqual(
      rows.map(({ sheets }: { sheets: unknown[] }) => sheets.length),
      [0, 0, 2, 2, 2, 2],
    )
    assert.ok(most <= mostAtOnce[database], `${most} bytes at once`)
  })

  it('has every row once, whatever ends a page', async () => {
    const found: number[] = []
    for (let path = '/api/scrolls?limit=50&sort=-number'; path !== ''; ) {
      const { body, headers } = await tenant.user.get(path)
      found.push(...body.map(({ number }: { number: number }) => number))
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? ''
    }
    assert.deepEqual(
      found,
      Array.from({ length: shortRows + longRows }, (_each, index) => shortRows + longRows - 1 - index),
    )
  })

  it('is refused with a row that no list can hold, unless that row is left out', async () => {
    const { context } = recorder.recording()
    const sheets = Array.from({ length: 8 }, () => ({ body: longBody }))
    const { id } = await folder.create(context, { number: 9, sheets })
    assertError(await tenant.user.get('/api/folders?number=9'), 400, /too large: name the members to return/)
    assert.deepEqual((await tenant.user.get('/api/folders?number=9&fields=id')).body, [{ id }])
    await folder.delete(context, id)
  })

  it('of GraphQL holds no more at once, and is refused beyond the bytes of a reply', async () => {
    const { reply, sent } = await recorder.run('{ scrolls(first: 50) { nodes { number body } } }')
    assert.equal(reply.errors[0].extensions.code, 'HC0047')
    const most = Math.max(...sent.map((statement) => statement.mostAtOnce))
    assert.ok(most >= longBytes && most <= mostAtOnce[database], `${most} bytes at once`)
    const short = await recorder.run('{ scrolls(first: 50) { nodes { number } } }')
    assert.equal(short.reply.data.scrolls.nodes.length, shortRows + longRows)
  })
})

type Chunk = string | Uint8Array

function contentOf(reply: unknown): AsyncIterable<Chunk> | Iterable<Chunk> {
  const { content } = (reply as { body: { content: string | Iterable<Chunk> | AsyncIterable<Chunk> } }).body
  return typeof content === 'string' ? [content] : content
}
