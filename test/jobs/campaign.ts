/** `npm run job-campaign`: the test of `kill.fault.test.ts` for much longer. */
import { parseArgs } from 'node:util'
import { postgresServerUrl } from '../support/databases.ts'
import { runDespiteKills } from './endurance.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '30' } } })
const rounds = Number(values.rounds)

await postgresServerUrl()
for (const database of ['sqlite', 'postgres'] as const) {
  const { acknowledged, repeated, interrupted } = await runDespiteKills(database, rounds)
  const counts = `${acknowledged} jobs acknowledged, 0 lost, ${interrupted} running at a kill, ${repeated} done again`
  process.stdout.write(`${rounds} × kill -9 on ${database}: ${counts}\n`)
  if (repeated > interrupted) process.exitCode = 1
}
process.exit()
