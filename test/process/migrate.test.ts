import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { createPostgresDatabase } from '../harness/databases.ts'
import { Workplace } from './workplace.ts'

describe('tenantry migrate', () => {
  it('does every database but the one that fails, tells of each, and does not end well', async () => {
    const postgres = await createPostgresDatabase()
    await using place = new Workplace()
    const tenants: [id: string, connection: string][] = [
      ['alpha', 'sqlite:alpha.db'],
      ['broken', 'sqlite:broken.db'],
      ['gone', 'postgres://u:hidden@127.0.0.1:1/gone'],
      ['omega', postgres.url],
    ]
    for (const [id, connection] of tenants) {
      const words = ['tenant', 'create', id, '--name', id, '--connection-string', '-']
      const { code, stdout } = await place.run(words, { input: connection })
      assert.equal(code, 0)
      const remark = /\nIts database is not ready yet, and is tried again on use\. \(connect ECONNREFUSED/
      assert.equal(remark.test(stdout), id === 'gone', stdout)
    }
    const folder = join(place.folder, 'data/tenants')
    rmSync(join(folder, 'alpha.db'))
    writeFileSync(join(folder, 'broken.db'), 'no database '.repeat(100))

    const { code, stdout, stderr } = await place.run(['migrate'])
    assert.equal(code, 1)
    assert.equal(stderr, 'tenantry: Not migrated: the databases of broken, gone.\n')
    assert.deepEqual(stdout.trimEnd().split('\n'), [
      'The shared database is up to date.',
      'alpha: up to date',
      'broken: failed (file is not a database)',
      'gone: failed (connect ECONNREFUSED 127.0.0.1:1)',
      'omega: up to date',
    ])
    const alpha = new DatabaseSync(join(folder, 'alpha.db'), { readOnly: true })
    const tables = alpha.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    alpha.close()
    assert.ok(tables.some(({ name }) => name === 'product'))
    await postgres.drop()
  })

  it('can be run again and again, and beside others', async () => {
    await using place = new Workplace()
    const all = await Promise.all([1, 2, 3].map(() => place.run(['migrate'])))
    for (const { code, stdout, stderr } of [...all, await place.run(['migrate'])]) {
      assert.deepEqual(
        { code, stdout, stderr },
        { code: 0, stdout: 'The shared database is up to date.\n', stderr: '' },
      )
    }
  })
})
