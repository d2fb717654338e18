/** Holds the lock of migrations on an SQLite file for a while. */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

const heldMs = 1000

const file = new DatabaseSync(process.argv[2] ?? '')
file.exec('BEGIN IMMEDIATE')
process.stdout.write('held')
await sleep(heldMs)
file.exec('ROLLBACK')
