/** An upgrade that is killed, or that two processes begin, leaves no database half done. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DatabaseName, onEachDatabase, takesTurn } from '../support/databases.ts'
import type { Ended } from '../support/process/ended.ts'
import { project, Workplace } from '../support/process/workplace.ts'
import { randomFrom } from '../support/random-numbers.ts'
import { runSeed, runsOf } from '../support/run/extent.ts'
import { assertKept, type Content, contentOf, schemaOf } from './content.ts'
import { versionNames } from './fixture.ts'
import { freshSchemas } from './fresh-schemas.ts'
import { type Unpacked, unpack } from './upgraded.ts'

const dying = [process.execPath, `${import.meta.dirname}/dying-upgrade.ts`]
/** From the sources, as applications import them. */
const command = [process.execPath, `${project}/src/main.ts`]
const kills = runsOf(1, 10)

onEachDatabase('An upgrade', (database) => {
  const versions = versionNames()
  const random = randomFrom(runSeed)
  let place: Workplace
  before(() => {
    place = new Workplace()
  })
  after(() => place[Symbol.asyncDispose]())

  const assertUpgraded = async (unpacked: Unpacked, was: Content): Promise<void> => {
    const { shared, own } = unpacked
    const fresh = await freshSchemas(database, unpacked)
    assertKept(await contentOf(shared), was)
    assert.deepEqual(await schemaOf(shared), fresh.shared)
    assert.deepEqual(await schemaOf(own), fresh.own)
  }

  if (takesTurn(database))
    it('that is killed leaves the database as it was or taken over, and the next one goes through', async () => {
      const counted = new Map<string, number>()
      for (let kill = 0; kill < kills; kill++) {
        const version = versions[Math.floor(random() * versions.length)] ?? ''
        const statements = counted.get(version) ?? (await countStatements(place, version, database))
        counted.set(version, statements)
        const last = 1 + Math.floor(random() * statements)
        await using unpacked = await unpackDisposable(version, database)
        const { settings, folder, shared } = unpacked
        const was = await contentOf(shared)
        const schemaBefore = await schemaOf(shared)
        const { signal } = await place.runProcess([`${last}`], { command: dying, settings, folder })
        assert.equal(signal, 'SIGKILL', `statement ${last} of ${statements} of ${version}`)
        const schema = await schemaOf(shared)
        if (schema.join('\n') === schemaBefore.join('\n')) assert.deepEqual(await contentOf(shared), was)
        else assertKept(await contentOf(shared), was)
        assertDone(await place.run(['migrate'], { settings, folder }))
        await assertUpgraded(unpacked, was)
      }
    })

  if (takesTurn(database, 1))
    it('that two processes begin is done once', async () => {
      await using unpacked = await unpackDisposable(versions.at(0) ?? '', database)
      const { settings, folder, shared } = unpacked
      const was = await contentOf(shared)
      const run = () => place.runProcess(['migrate'], { command, settings, folder })
      for (const ended of await Promise.all([run(), run()])) assertDone(ended)
      await assertUpgraded(unpacked, was)
    })
})

describe('Two services that start on one data folder', () => {
  it('are one that upgrades and serves, and one that is refused', async () => {
    await using place = new Workplace()
    await using unpacked = await unpackDisposable(versionNames().at(-1) ?? '', 'sqlite')
    const { settings, folder } = unpacked
    const both = [
      place.start(['serve'], { command, settings, folder }),
      place.start(['serve'], { command, settings, folder }),
    ]
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
  const { settings, folder } = unpacked
  const { code, stdout, stderr } = await place.runProcess([], { command: dying, settings, folder })
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
