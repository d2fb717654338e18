/** A database that was taken over has the schema of a new one, every row, and nothing left to be done. */
import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { onEachDatabase } from '../support/databases.ts'
import { runHere } from '../support/process/run-here.ts'
import { assertKept, type Content, contentOf, schemaOf } from './content.ts'
import { versionNames } from './fixture.ts'
import { freshSchemas } from './fresh-schemas.ts'
import { serve, type Unpacked, unpack } from './upgraded.ts'

onEachDatabase('A database of a former version', (database) => {
  for (const version of versionNames())
    it(`of ${version} has the schema of a new one, and every row`, async () => {
      const unpacked = await unpack(version, database)
      after(() => unpacked.drop())
      const fresh = await freshSchemas(database, unpacked)
      const urls = [unpacked.shared, unpacked.own]
      const contents = async () => (await Promise.all(urls.map(contentOf))).map(withoutGenerations)
      const was = await contents()
      await migrated(unpacked)
      const now = await contents()
      for (const [index, each] of now.entries()) assertKept(each, was[index] ?? new Map())
      assert.deepEqual(await schemaOf(unpacked.shared), fresh.shared)
      assert.deepEqual(await schemaOf(unpacked.own), fresh.own)

      assert.match(await migrated(unpacked), /^The shared database is up to date\.$/m)
      assert.deepEqual(await contents(), now)
      await (await serve(unpacked)).service.stop()
      const started = await contents()
      await (await serve(unpacked)).service.stop()
      assert.deepEqual(await contents(), started)
      assert.deepEqual(await schemaOf(unpacked.shared), fresh.shared)
    })
})

/** Every opening advances them. */
function withoutGenerations(content: Content): Content {
  const tables = [...content].map(
    ([table, rows]) => [table, rows.map(({ generation: _, ...row }) => row)] as const,
  )
  return new Map(tables)
}

async function migrated({ settings, folder }: Unpacked): Promise<string> {
  const { code, stdout, stderr } = await runHere(['migrate'], { environment: settings, folder })
  assert.deepEqual([code, stderr], [0, ''], stdout)
  return stdout
}
