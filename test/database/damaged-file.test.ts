import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { DatabaseUnavailable } from '../../src/database/executor.ts'
import { openSqlite } from '../../src/database/sqlite/sqlite-database.ts'
import { eventually } from '../concurrency/eventually.ts'

describe('A SQLite file that is damaged while it is open', () => {
  it('makes requests fail one by one, and never the process', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-damaged-'))
    const path = join(folder, 'test.db')
    const database = openSqlite(path)
    await database.transaction(async (inside) => void (await inside.run('CREATE TABLE note (id)', [], false)))
    let changes = 0
    database.onChange(() => changes++)
    for (const ending of ['', '-wal', '-shm']) writeFileSync(`${path}${ending}`, Buffer.alloc(40_960, 7))
    await eventually('the change is noticed', 2000, async () => changes > 0)
    await assert.rejects(database.executor.run('SELECT id FROM note', [], false))
    await assert.rejects(
      database.transaction((inside) => inside.run('INSERT INTO note (id) VALUES (1)', [], false)),
      DatabaseUnavailable,
    )
    await database.close()
    rmSync(folder, { recursive: true })
  })
})
