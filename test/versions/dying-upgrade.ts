/**
 * Migrates the database of DATABASE_URL, and ends with `kill -9` at a statement. Without its number it ends well, and
 * prints how many there are.
 */
import { pino } from 'pino'
import { findApplication } from '../../src/cli/define-config.ts'
import { loadConfig } from '../../src/core/settings/config.ts'
import type { Database, Transaction } from '../../src/database/executor.ts'
import { migrate } from '../../src/database/migrate/apply.ts'
import { openDatabase } from '../../src/database/open.ts'
import { parseDatabaseUrl } from '../../src/database/target.ts'
import { assembleParts, postgresOptions } from '../../src/service/parts.ts'

const last = Number(process.argv[2] ?? Number.POSITIVE_INFINITY)
const config = loadConfig()
const options = { ...(await findApplication(null)), log: pino({ level: 'silent' }) }
const database = await openDatabase(parseDatabaseUrl(config.databaseUrl), postgresOptions(config))
const { migrations } = assembleParts(config, options, database)
let statements = 0

/** Half of the kills come while the statement runs. */
function counting(inside: Transaction): Transaction {
  const run: Transaction['run'] = (...statement) => {
    const isLast = ++statements === last
    if (isLast && last % 2 === 0) process.kill(process.pid, 'SIGKILL')
    if (isLast) setImmediate(() => process.kill(process.pid, 'SIGKILL'))
    return inside.run(...statement)
  }
  return new Proxy(inside, {
    get: (target, name) => (name === 'run' ? run : Reflect.get(target, name, target)),
  })
}

const transaction: Database['transaction'] = (work, given) =>
  database.transaction((inside) => work(counting(inside)), given)
await migrate(
  new Proxy(database, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name, target)),
  }),
  migrations,
)
await database.close()
process.stdout.write(`${statements}`)
