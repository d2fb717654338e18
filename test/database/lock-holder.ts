/** Holds the lock of migrations until its standard input ends, and for a while at least on SQLite. */
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const url = process.argv[2] ?? ''
const heldMs = 1000

if (url.startsWith('sqlite:')) {
  const file = new DatabaseSync(url.slice('sqlite:'.length))
  file.exec('BEGIN IMMEDIATE')
  process.stdout.write('held')
  await sleep(heldMs)
  file.exec('ROLLBACK')
} else {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('BEGIN')
  await client.query('SELECT pg_advisory_xact_lock(7406913)')
  process.stdout.write('held')
  await once(process.stdin.resume(), 'end')
  await client.end()
}
