/** A process that reads a SQLite file by a scan, and does nothing else. */
import assert from 'node:assert/strict'
import { openSqlite } from '../../../src/database/sqlite/sqlite-database.ts'

const [path = ''] = process.argv.slice(2)
const database = openSqlite(path)
const options = { owner: 'a', time: { leftMs: 1000 } }
for await (const rows of database.scan('SELECT 1 AS one', [], options)) assert.deepEqual(rows, [{ one: 1 }])
await database.close()
