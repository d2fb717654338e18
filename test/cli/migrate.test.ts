import assert from 'node:assert/strict'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { createPostgresDatabase } from '../support/databases.ts'
import { contentsOf } from '../support/process/folder-contents.ts'
import { Workplace } from '../support/process/workplace.ts'

describe('tenantry migrate', () => {
  it('does every database but the one that fails, tells of each, and does not end well', async () => {
    const postgres = await createPostgresDatabase()
    await using place = new Workplace()
    const tenants: [id: string, connection: string][] = [
      ['alpha', 'sqlite:alpha.db'],
      ['broken', 'sqlite:broken.db'],
      ['gone', 'postgres://u:hidden@127.0.0.1:1/gone'],
      ['omega', postgres.url],
      ['twin', 'sqlite:alpha.db'],
    ]
    for (const [id, connection] of tenants) {
      const words = ['tenant', 'create', id, '--name', id, '--connection-string', '-']
      const { code, stdout } = await place.run(words, { input: connection })
      assert.equal(code, 0)
      const remark = /\nIts database is not ready yet\. Each use retries\. \(connect ECONNREFUSED/
      assert.equal(remark.test(stdout), id === 'gone', stdout)
    }
    const folder = join(place.folder, 'data/tenants')
    rmSync(join(folder, 'alpha.db'))
    writeFileSync(join(folder, 'broken.db'), 'no database '.repeat(100))

    const { code, stdout, stderr } = await place.run(['migrate', '--parallel', '1'])
    assert.equal(code, 1)
    assert.equal(stderr, 'tenantry: Not migrated: the databases of alpha, broken, gone.\n')
    const reasons = ['(file is not a database)', '(connect ECONNREFUSED 127.0.0.1:1)']
    const missing =
      '(The database is missing: it was created before, and is not there or has no tables. It is not created again.)'
    assert.deepEqual(stdout.trimEnd().split('\n'), [
      'The shared database is up to date.',
      `alpha: failed ${missing}`,
      `broken: failed ${reasons[0]}`,
      `gone: failed ${reasons[1]}`,
      'omega: up to date',
      'Databases of tenants: 1 up to date, 0 migrated, 3 failed.',
      `  alpha: failed ${missing}`,
      `  broken: failed ${reasons[0]}`,
      `  gone: failed ${reasons[1]}`,
    ])
    assert.equal(existsSync(join(folder, 'alpha.db')), false)
    await postgres.drop()
  })

  it('can be run again and again, and beside others', async () => {
    await using place = new Workplace()
    const all = await Promise.all([1, 2, 3].map(() => place.runProcess(['migrate'])))
    const applied = all.map((ended) => {
      assert.deepEqual({ code: ended.code, stderr: ended.stderr }, { code: 0, stderr: '' })
      const line = /^The shared database(?: is up to date\.|: migrated, (\d+) migrations? applied)\n$/
      assert.match(ended.stdout, line)
      return Number(line.exec(ended.stdout)?.[1] ?? 0)
    })
    const file = new DatabaseSync(join(place.folder, 'data/tenantry.db'), { readOnly: true })
    const { length } = file.prepare('SELECT name FROM migration').all()
    file.close()
    assert.equal(
      applied.reduce((sum, count) => sum + count),
      length,
    )
    const { code, stdout, stderr } = await place.run(['migrate'])
    assert.deepEqual(
      { code, stdout, stderr },
      { code: 0, stdout: 'The shared database is up to date.\n', stderr: '' },
    )
  })

  it('tells with --dry-run what it would do in a folder with nothing in it, and makes nothing', async () => {
    await using place = new Workplace()
    const { code, stdout, stderr } = await place.run(['migrate', '--dry-run'])
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    assert.match(
      stdout,
      /^The shared database: not created yet, \d+ migrations pending: tenant-0001, .*tenantSetting-\d+\n$/,
    )
    assert.deepEqual(contentsOf(place.folder), new Map())
  })
})
