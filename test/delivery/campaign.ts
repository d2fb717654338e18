/** `npm run campaign`: the tests of `lost.test.ts` for much longer. @see endurance.ts */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Wire } from '../database/wire.ts'
import { createPostgresDatabase, type DatabaseName } from '../harness/databases.ts'
import { endureKills, endureOutage, type Report } from './endurance.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    'outage-seconds': { type: 'string', default: '10' },
  },
})
const rounds = Number(values.rounds)
const outageMs = Number(values['outage-seconds']) * 1000

for (const database of ['sqlite', 'postgres'] as const) {
  tell(`${rounds} × kill -9 on ${database}`, await endureKills(database, rounds))
  tell(`${database} away for ${outageMs / 1000} s`, await withoutDatabase(database))
}
process.exit()

async function withoutDatabase(database: DatabaseName): Promise<Report> {
  if (database === 'sqlite')
    return endureOutage(database, {}, ({ settings }) => lockFile(settings['DATABASE_URL'] ?? ''))
  const postgres = await createPostgresDatabase()
  const wire = await Wire.to(postgres.url)
  return endureOutage('sqlite', { DATABASE_URL: wire.url }, async () => {
    await wire.cut()
    await delay(outageMs)
    await wire.mend()
  })
}

/** Nobody else can write while this goes on. */
async function lockFile(url: string): Promise<void> {
  const connection = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5000 })
  connection.exec('BEGIN IMMEDIATE')
  await delay(outageMs)
  connection.exec('ROLLBACK')
  connection.close()
}

function tell(what: string, { acknowledged, duplicates, interrupted }: Report): void {
  const sending = Number.isFinite(interrupted) ? `, ${interrupted} were being sent` : ''
  process.stdout.write(`${what}: ${acknowledged} acknowledged, 0 lost, ${duplicates} came twice${sending}\n`)
  if (duplicates > interrupted) process.exitCode = 1
}
