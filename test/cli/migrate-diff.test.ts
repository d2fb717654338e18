/** Migrations that are written from definitions, by the command line of an application. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { writeConfig } from '../database/schema/application.ts'
import type { Ended } from '../support/process/ended.ts'
import { Workplace } from '../support/process/workplace.ts'

const first = "fields: { title: text(), note: text().optional() }, search: ['title']"
const renamed = "fields: { title: text(), remark: text().optional() }, search: ['title']"

describe('tenantry migrate diff', () => {
  it('writes numbered migrations and the snapshot, opens no database, and asks nothing', async () => {
    await using place = new Workplace()
    const run = runnerIn(place)
    const written = await run(first, 'migrate', 'diff')
    assert.deepEqual([written.code, written.stderr], [0, ''])
    assert.equal(
      written.stdout,
      'create table task\nWritten: migrations/0001-create-task.sql and the snapshot beside it. Read and commit both.\n',
    )
    const again = await run(first, 'migrate', 'diff')
    assert.deepEqual(
      [again.code, again.stdout],
      [0, 'The definitions are those of the snapshot: there is nothing to write.\n'],
    )

    const open = await run(renamed, 'migrate', 'diff')
    assert.deepEqual([open.code, open.stdout], [1, ''])
    assert.equal(
      open.stderr,
      `tenantry: Nothing is written, because the definitions do not say what to do.
task.note is gone.
  --rename task.note=task.remark  if it was renamed
  --drop task.note                if its values are to be lost
`,
    )
    const named = await run(
      renamed,
      'migrate',
      'diff',
      '--rename',
      'task.note=task.remark',
      '--name',
      'Call it remark',
    )
    assert.deepEqual([named.code, named.stderr], [0, ''])
    assert.match(
      named.stdout,
      /^task: rename note to remark\nOn SQLite:\n {2}instant {2}ALTER [^\n]+\nOn PostgreSQL:\n {2}instant {2}ALTER [^\n]+\nWritten: migrations\/0002-call-it-remark\.sql /,
    )
    assert.deepEqual(filesIn(place), ['0001-create-task.sql', '0002-call-it-remark.sql', 'snapshot.json'])
    assert.ok(!existsSync(join(place.folder, 'data')))

    assert.equal((await run(renamed, 'migrate')).code, 0)
    const dry = await run(renamed, 'migrate', '--dry-run')
    assert.deepEqual([dry.code, dry.stdout], [0, 'The shared database is up to date.\n'])
  })

  it('writes nothing when it is called wrongly, or has no definitions', async () => {
    await using place = new Workplace()
    const run = runnerIn(place)
    const wrong: [words: string[], complaint: RegExp][] = [
      [
        ['--name', 'a/b'],
        /^tenantry: --name takes words of letters and digits, such as invoice-add-sku\. See/,
      ],
      [
        ['--rename', 'task.note'],
        /^tenantry: --rename task\.note: write it as --rename <name>=<new name>\. See/,
      ],
      [['--fill', 'task.note'], /^tenantry: --fill task\.note: write it as --fill <name>=<value>\. See/],
    ]
    for (const [words, complaint] of wrong) {
      const { code, stderr } = await run(first, 'migrate', 'diff', ...words)
      assert.equal(code, 2)
      assert.match(stderr, complaint)
    }
    assert.deepEqual(filesIn(place), [])
  })

  it('compares the built-in entities in a checkout of Tenantry', async () => {
    await using place = new Workplace()
    for (const [command, told] of [
      ['diff', 'The definitions are those of the snapshot: there is nothing to write.\n'],
      ['check', 'The definitions are those of the snapshot.\n'],
    ] as const) {
      const { code, stdout, stderr } = await place.run(['migrate', command])
      assert.deepEqual([code, stdout, stderr], [0, told, ''])
    }
  })
})

describe('tenantry migrate check', () => {
  it('fails, as the service and the migration do, while the definitions differ from the snapshot', async () => {
    await using place = new Workplace({ PORT: '0' })
    const run = runnerIn(place)
    for (const command of [['migrate', 'check'], ['migrate'], ['serve'], ['tenant', 'list']]) {
      const { code, stdout, stderr } = await run(first, ...command)
      assert.deepEqual([code, stdout], [1, ''], command.join(' '))
      assert.equal(
        stderr,
        `tenantry: The definitions differ from the snapshot in ${join(place.folder, 'migrations')}:
  create table task
Run this command of your application, and commit what it writes: migrate diff
`,
      )
    }
    assert.ok(!existsSync(join(place.folder, 'data/tenantry.db')))
    assert.equal((await run(first, 'migrate', 'diff')).code, 0)
    const passed = await run(first, 'migrate', 'check')
    assert.deepEqual(
      [passed.code, passed.stdout, passed.stderr],
      [0, 'The definitions are those of the snapshot.\n', ''],
    )
    assert.match(
      (await run(renamed, 'migrate', 'check')).stderr,
      /\n {2}task: add remark\n {2}task: drop note\n/,
    )
  })

  it('names the file that is not what it has to be', async () => {
    await using place = new Workplace()
    const run = runnerIn(place)
    await run(first, 'migrate', 'diff')
    const folder = join(place.folder, 'migrations')
    renameSync(join(folder, '0001-create-task.sql'), join(folder, '0002-create-task.sql'))
    const { code, stderr } = await run(first, 'migrate', 'check')
    assert.equal(code, 1)
    assert.match(stderr, /0002-create-task\.sql: there is no migration 0001 before it\./)
    assert.equal(JSON.parse(readFileSync(join(folder, 'snapshot.json'), 'utf8')).version, 1)
  })
})

function runnerIn(place: Workplace): (fields: string, ...words: string[]) => Promise<Ended> {
  return (fields, ...words) => place.run([...words, ...writeConfig(place.folder, 'task', fields)])
}

function filesIn({ folder }: Workplace): string[] {
  const migrations = join(folder, 'migrations')
  return existsSync(migrations) ? readdirSync(migrations).toSorted() : []
}
