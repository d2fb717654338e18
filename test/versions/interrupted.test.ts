/** An upgrade that is killed, or that two processes begin, leaves no database half done. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DatabaseName, onEachDatabase } from '../support/databases.ts'
import type { Ended } from '../support/process/ended.ts'
import { Workplace } from '../support/process/workplace.ts'
import { randomFrom } from '../support/random-numbers.ts'
import { runSeed, runsOf } from '../support/run/extent.ts'
import { assertKept, type Content, contentOf, schemaOf } from './content.ts'
import { versionNames } from './fixture.ts'
import { freshSchemas, type Schemas } from './fresh-schemas.ts'
import { type Unpacked, unpack } from './upgraded.ts'

const dying = [process.execPath, `${import.meta.dirname}/dying-upgrade.ts`]
const kills = runsOf(2, 10)

onEachDatabase('An upgrade', (database) => {
  const versions = versionNames()
  const random = randomFrom(runSeed)
  let fresh: Schemas
  let place: Workplace
  before(async () => {
    fresh = await freshSchemas(database)
    place = new Workplace()
  })
  after(() => place[Symbol.asyncDispose]())

  const assertUpgraded = async ({ shared, own }: Unpacked, was: Content): Promise<void> => {
    assertKept(await contentOf(shared), was)
    assert.deepEqual(await schemaOf(shared), fresh.shared)
    assert.deepEqual(await schemaOf(own), fresh.own)
  }

  it('that is killed leaves the database as it was or taken over, and the next one goes through', async () => {
    for (let kill = 0; kill < kills; kill++) {
      const version = versions[Math.floor(random() * versions.length)] ?? ''
      const statements = await countStatements(place, version, database)
      const last = 1 + Math.floor(random() * statements)
      await using unpacked = await unpackDisposable(version, database)
      const { settings, shared } = unpacked
      const was = await contentOf(shared)
      const schemaBefore = await schemaOf(shared)
      const { signal } = await place.runProcess([`${last}`], { command: dying, settings })
      assert.equal(signal, 'SIGKILL', `statement ${last} of ${statements} of ${version}`)
      const schema = await schemaOf(shared)
      if (schema.join('\n') === schemaBefore.join('\n')) assert.deepEqual(await contentOf(shared), was)
      else assertKept(await contentOf(shared), was)
      assertDone(await place.run(['migrate'], { settings }))
      await assertUpgraded(unpacked, was)
    }
  })

  it('that two processes begin is done once', async () => {
    await using unpacked = await unpackDisposable(versions.at(0) ?? '', database)
    const { settings, shared } = unpacked
    const was = await contentOf(shared)
    const both = [place.runProcess(['migrate'], { settings }), place.runProcess(['migrate'], { settings })]
    for (const ended of await Promise.all(both)) assertDone(ended)
    await assertUpgraded(unpacked, was)
  })
})

describe('Two services that start on one data folder', () => {
  it('are one that upgrades and serves, and one that is refused', async () => {
    await using place = new Workplace()
    await using unpacked = await unpackDisposable(versionNames().at(-1) ?? '', 'sqlite')
    const { settings } = unpacked
    const both = [place.start(['serve'], { settings }), place.start(['serve'], { settings })]
    const { code, stderr } = await Promise.race(both.map(({ ended }) => ended))
    assert.equal(code, 1)
    assert.match(stderr, /serves from .* already/)
    const serving = both.filter(({ process }) => process.exitCode === null)
    assert.equal(serving.length, 1)
    await serving[0]?.waitFor(/^Tenantry listens on (\S+)$/m)
  })
})

async function countStatements(place: Workplace, version: string, database: DatabaseName): Promise<number> {
  await using unpacked = await unpackDisposable(version, database)
  const { code, stdout, stderr } = await place.runProcess([], { command: dying, settings: unpacked.settings })
  assert.equal(code, 0, stderr)
  assert.ok(Number(stdout) > 100, stdout)
  return Number(stdout)
}

function assertDone({ code, stdout, stderr }: Ended): void {
  assert.deepEqual([code, stderr], [0, ''], stdout)
}

async function unpackDisposable(...which: Parameters<typeof unpack>): Promise<Unpacked & AsyncDisposable> {
  const unpacked = await unpack(...which)
  return { ...unpacked, [Symbol.asyncDispose]: () => unpacked.drop() }
}
