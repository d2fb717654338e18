/** Each kind of field takes, keeps and refuses the same values by every way in, on both databases. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newMasterKey } from '../../support/master-key.ts'
import { runSeed, triesAll } from '../../support/run/extent.ts'
import { startService, type TestService } from '../../support/service.ts'
import { migrated } from '../migrated.ts'
import { Archives } from './archives.ts'
import { boundaries, holder, owner, someOwner } from './values.ts'
import { reading, type Side, type Way, writing } from './ways.ts'

interface Installed extends Side {
  service: TestService
}

/** Values that no way of writing leaves in a row; `hostile-values.test.ts` tries many more. */
const inNoRow = [
  ['date', '0000-01-01'],
  ['timestamp', '2026-01-31T09:30:00+14:00'],
  ['owner_id', someOwner.toUpperCase()],
  ['json', '{"a":820982911946154508}'],
  ['amounts', '[0.1000000000000000000000001]'],
] as const

describe('A value at the border of its kind', () => {
  const archives = new Archives()
  let sqlite: Installed
  let postgres: Installed
  let archive: string | null = null
  before(async () => {
    const settings = { MASTER_KEY: newMasterKey() }
    sqlite = await install('sqlite', settings)
    postgres = await install('postgres', settings)
  })
  after(async () => {
    await Promise.all([sqlite, postgres].map(({ service }) => service.stop()))
    archives.remove()
  })

  for (const member of Object.keys(boundaries)) {
    it(`is kept or refused as ${member} by every way of writing`, async () => {
      const faults = await faultsOf(writing, member, (way, { given, kept }, answer) =>
        kept === undefined || isBeyondGraphQL(way, member, given)
          ? /^(400 |BAD_USER_INPUT: |HC\d{4}: )/.test(answer)
          : answer === kept,
      )
      assert.deepEqual(faults, [])
    })

    it(`finds the same rows as ${member} by every way of reading`, async () => {
      const isAnswered = (_way: string, _value: unknown, answer: string): boolean =>
        /^(\d+ rows$|400 |431 |BAD_USER_INPUT: |HC\d{4}: )/.test(answer)
      const faults = await faultsOf(reading, member, isAnswered, isTurnOf)
      assert.deepEqual(faults, [])
    })
  }

  for (const [column, value] of inNoRow)
    it(`is refused in an archive whose ${column} is ${value}`, async () => {
      archive ??= await archives.export(sqlite.service, sqlite.tenantId)
      const changed = await archives.change(sqlite.service, archive, { ...sqlite, column, value })
      const answer = await archives.import(postgres.service, changed)
      assert.match(answer, new RegExp(`Row \\d+ of the table holder in the archive: ${column}: `))
    })

  it('goes from each database to the other in an archive', async () => {
    for (const [from, to] of [
      [sqlite, postgres],
      [postgres, sqlite],
    ] as const) {
      const rows = await from.user.get('/api/holders')
      assert.equal(
        await archives.import(to.service, await archives.export(from.service, from.tenantId)),
        'taken',
      )
      const { client } = await to.service.signIn('worker', from.tenantId)
      const moved = await client.get('/api/holders')
      assert.equal(moved.text, rows.text)
    }
  })

  async function faultsOf(
    ways: Readonly<Record<string, Way>>,
    member: string,
    isRight: (way: string, value: { given: string; kept: string | undefined }, answer: string) => boolean,
    isTried = (_way: number, _value: number): boolean => true,
  ): Promise<string[]> {
    const faults: string[] = []
    for (const [wayIndex, [name, way]] of Object.entries(ways).entries())
      for (const [valueIndex, [value, kept]] of (boundaries[member] ?? []).entries()) {
        if (!isTried(wayIndex, valueIndex)) continue
        const [one, other] = await Promise.all([sqlite, postgres].map((side) => way(side, { member, value })))
        if (one !== other || !isRight(name, { given: value, kept }, String(one)))
          faults.push(`${name} ${value}: ${one} on SQLite, ${other} on PostgreSQL, expected ${kept}`)
      }
    return faults
  }
})

/** The ways of reading a value have turns, and the others come with the next seed. */
function isTurnOf(way: number, value: number): boolean {
  return triesAll || (way + value + runSeed) % 2 === 0
}

async function install(
  database: 'sqlite' | 'postgres',
  settings: Record<string, string>,
): Promise<Installed> {
  const service = await startService(database, settings, { features: migrated([owner, holder]) })
  const { id: tenantId, user } = await service.newTenant()
  const { body } = await user.post('/api/owners', { name: 'Ada' })
  const row = await user.post('/api/holders', {})
  return { service, user, tenantId, ownerId: body.id, rowId: row.body.id }
}

/** An Int of GraphQL has 32 bits, and is written without a fraction and an exponent. */
function isBeyondGraphQL(way: string, member: string, given: string): boolean {
  if (!way.startsWith('GraphQL') || !member.startsWith('integer')) return false
  const [value] = [JSON.parse(given)].flat()
  return (
    value !== Math.trunc(value) ||
    Math.abs(value + 0.5) > 2 ** 31 ||
    (way === 'GraphQL literal' && /[.e]/.test(given))
  )
}
