/** An archive that somebody has made with bad intent: whole by its digests, and yet not what the service writes. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { dump } from '../../database/inspect.ts'
import type { TestService } from '../../harness/service.ts'
import { newVictim } from '../../tenancy/victim.ts'
import { enormous } from '../../user/weak-hash.ts'
import { ArchiveScene } from './scene.ts'

describe('A hostile archive', () => {
  let scene: ArchiveScene
  let source: TestService
  let target: TestService
  before(async () => {
    scene = new ArchiveScene()
    source = await scene.installation('sqlite')
    target = await scene.installation('sqlite', source)
    await target.service.deliveries.stop()
  })
  after(() => scene[Symbol.asyncDispose]())

  for (const [what, hash] of [
    ['that takes a gigabyte', enormous],
    ['of another algorithm', '$2b$12$abcdefghijklmnopqrstuv'],
    ['with a salt of a megabyte', `$argon2id$v=19$m=64,t=1,p=1$${'a'.repeat(1_000_000)}$${'a'.repeat(43)}`],
    ['that is empty', ''],
  ] as const) {
    it(`is refused for a password hash ${what}`, async () => {
      const tenant = await newVictim(source)
      await (await source.service.operator()).shared.catalogueDatabase.transaction(async (inside) => {
        const sql = `UPDATE account SET password_hash = '${hash}' WHERE tenant_id = '${tenant.id}'`
        await inside.run(sql, [], false)
      })
      const archive = await scene.export(source, tenant.id)
      const state = await dump(target.config.databaseUrl)
      const complaint =
        /^The password hash of the user [-0-9a-f]{36} has other parameters than are accepted here: argon2id/
      await assert.rejects(scene.import(target, archive), { kind: 'invalid', message: complaint })
      assert.equal(await dump(target.config.databaseUrl), state)
    })
  }
})
