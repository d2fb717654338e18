/** `npm run campaign`: the tests of `lost.test.ts` for much longer. @see endurance.ts */
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { inspect } from '../database/inspect.ts'
import { Wire } from '../database/wire.ts'
import { createPostgresDatabase, type DatabaseName } from '../harness/databases.ts'
import type { Store } from '../process/stored.ts'
import { endureKills, endureOutage, type Outage, type Report } from './endurance.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    events: { type: 'string', default: '10000' },
    'outage-seconds': { type: 'string', default: '10' },
  },
})
const rounds = Number(values.rounds)
const outageMs = Number(values['outage-seconds']) * 1000

/** Acknowledged between kills, on both databases together. */
const wanted = Number(values.events)
const databases = ['sqlite', 'postgres'] as const
const least = Math.ceil(wanted / databases.length / rounds)

let acknowledged = 0
for (const database of databases) {
  const report = await endureKills(database, rounds, [least, 2 * least])
  acknowledged += report.acknowledged
  tell(`${rounds} × kill -9 on ${database}`, report)
  tell(`${database} away for ${outageMs / 1000} s`, await withoutDatabase(database))
}
process.stdout.write(
  `${acknowledged} events were acknowledged between kills, more than ${wanted} are wanted\n`,
)
if (acknowledged <= wanted) process.exitCode = 1
process.exit()

async function withoutDatabase(database: DatabaseName): Promise<Report> {
  if (database === 'sqlite') return endureOutage(database, {}, lockFile)
  const postgres = await createPostgresDatabase()
  const wire = await Wire.to(postgres.url)
  return endureOutage('sqlite', { DATABASE_URL: wire.url }, () => ({
    ms: outageMs,
    begin: () => wire.cut(),
    end: () => wire.mend(),
    rows: (sql) => inspect(postgres.url, sql),
  }))
}

/** Nobody else can write while this goes on. */
function lockFile({ settings, rows }: Store): Outage {
  const file = (settings['DATABASE_URL'] ?? '').slice('sqlite:'.length)
  const connection = new DatabaseSync(file, { timeout: 5000 })
  return {
    ms: outageMs,
    rows,
    begin: async () => connection.exec('BEGIN IMMEDIATE'),
    end: async () => {
      connection.exec('ROLLBACK')
      connection.close()
    },
  }
}

function tell(what: string, { duplicates, interrupted, ...report }: Report): void {
  const counts = `${report.acknowledged} acknowledged, 0 lost, ${duplicates} came twice, ${interrupted} were being sent`
  process.stdout.write(`${what}: ${counts}\n`)
  if (duplicates > interrupted) process.exitCode = 1
}
