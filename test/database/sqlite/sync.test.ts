/** A commit is reported once it is on disk; another thread than the serving one waits for the disk. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import {
  type Database,
  DatabaseUnavailable,
  resync,
  type Transaction,
} from '../../../src/database/executor.ts'
import { newDatabase, type OpenedDatabase } from '../../support/database/opened.ts'
import { diskSync, replaceSync } from '../../support/database/replace-sync.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { runStatement } from '../run-statement.ts'

const pageBytes = 4096

describe('A commit on SQLite', () => {
  let opened: OpenedDatabase
  let database: Database
  let path: string
  const told: string[] = []
  beforeEach(async () => {
    opened = await newDatabase('sqlite')
    path = opened.url.slice('sqlite:'.length)
    database = opened.open()
    await write(database, 'CREATE TABLE note (text text)')
    database.onChange((change) => told.push(change))
    await database.syncOffThread?.()
    told.length = 0
  })
  afterEach(async () => {
    replaceSync(diskSync)
    await opened.drop()
  })

  it('is seen and told of by nobody before its sync has ended', async () => {
    const disk = heldDisk()
    const seen: string[] = []
    const writing = database
      .transaction(async (inside) => {
        inside.afterCommit(() => seen.push('listener'))
        await runStatement(inside, "INSERT INTO note VALUES ('one')")
      })
      .then(() => seen.push('caller'))
    await eventually('a sync begins', soonMs, async () => disk.waiting.length === 1)
    const snapshot = database.snapshot(countNotes).then((rows) => seen.push(`snapshot of ${rows}`))
    for (let turn = 0; turn < 10; turn++) {
      assert.equal(await countNotes(database.executor), 0)
      await setImmediate()
    }
    assert.deepEqual(seen, [])
    disk.release()
    await Promise.all([writing, snapshot])
    assert.deepEqual(seen.toSorted(), ['caller', 'listener', 'snapshot of 1'])
    assert.equal(await countNotes(database.executor), 1)
  })

  it('that comes during a sync is on the disk with the next one, and not before', async () => {
    const disk = heldDisk()
    const first = insert()
    await eventually('a sync begins', soonMs, async () => disk.waiting.length === 1)
    const others = Promise.all([insert(), insert()])
    await setImmediate()
    assert.equal(disk.waiting.length, 1)
    disk.release()
    await first
    await eventually('another sync begins', soonMs, async () => disk.waiting.length === 1)
    assert.equal(await countNotes(database.executor), 1)
    disk.release()
    await others
    assert.equal(await countNotes(database.executor), 3)
  })

  it('that has written nothing waits for no disk', async () => {
    await insert()
    const disk = heldDisk()
    await write(database, "UPDATE note SET text = 'other' WHERE text = 'none'")
    await assert.rejects(
      database.transaction(async () => {
        throw new Error('changed my mind')
      }),
    )
    assert.equal(disk.waiting.length, 0)
  })

  it('whose sync fails is answered with an error, hidden, and told of when it is on the disk after all', async () => {
    await insert()
    let isBroken = true
    replaceSync((descriptor, done) => {
      if (!isBroken) return diskSync(descriptor, done)
      isBroken = false
      done(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }))
    })
    let heard = 0
    const failing = database.transaction(async (inside) => {
      inside.afterCommit(() => heard++)
      await inside.announce('changed')
      await runStatement(inside, "INSERT INTO note VALUES ('uncertain')")
    })
    await assert.rejects(failing, DatabaseUnavailable)
    assert.deepEqual([await countNotes(database.executor), heard, told], [1, 0, []])
    await eventually('it is known to be on the disk', soonMs, async () => heard === 1)
    assert.deepEqual([await countNotes(database.executor), told], [2, ['changed']])
    await insert()
    assert.equal(await countNotes(database.executor), 3)
  })

  it('is refused while one before it is not known to be on the disk', async () => {
    await insert()
    const foreign = new DatabaseSync(path)
    replaceSync((_descriptor, done) => {
      foreign.exec('BEGIN IMMEDIATE') // so the log is not written again
      done(new Error('EIO: i/o error, fdatasync'))
    })
    const failing = insert()
    await assert.rejects(failing, DatabaseUnavailable)
    await assert.rejects(insert(), DatabaseUnavailable)
    await assert.rejects(database.snapshot(countNotes), DatabaseUnavailable)
    assert.equal(await countNotes(database.executor), 1)
    replaceSync(diskSync)
    foreign.exec('COMMIT')
    foreign.close()
    await eventually('writes go on', soonMs, () =>
      insert().then(
        () => true,
        () => false,
      ),
    )
    assert.equal(await countNotes(database.executor), 3)
  })

  it('keeps the log short, and is not taken for one of another process', async () => {
    for (let each = 0; each < 60; each++) {
      await Promise.all(Array.from({ length: 4 }, () => insert('x'.repeat(25 * pageBytes))))
    }
    const frames = fs.statSync(`${path}-wal`).size / pageBytes
    assert.ok(frames < 5000, `${frames} frames for 6000 written`)
    await eventually('the file has the rows', soonMs, async () => fs.statSync(path).size > 4000 * pageBytes)
    const foreign = new DatabaseSync(path, { timeout: soonMs })
    assert.equal(told.length, 0)
    foreign.exec("INSERT INTO note VALUES ('foreign')")
    foreign.close()
    await eventually('the other process is noticed', soonMs, async () => told.includes(resync))
  })

  async function insert(text = 'some'): Promise<void> {
    await write(database, `INSERT INTO note VALUES ('${text}')`)
  }
})

/** A disk whose syncs last until they are let go. */
function heldDisk(): { waiting: (() => void)[]; release(): void } {
  const waiting: (() => void)[] = []
  replaceSync((descriptor, done) => void waiting.push(() => diskSync(descriptor, done)))
  return { waiting, release: () => waiting.splice(0).forEach((go) => void go()) }
}

async function countNotes(executor: Pick<Transaction, 'run'>): Promise<number> {
  const { rows } = await executor.run('SELECT count(*) AS n FROM note', [], false)
  return Number(rows[0]?.['n'])
}

function write(database: Database, statement: string): Promise<void> {
  return database.transaction((inside) => runStatement(inside, statement))
}
