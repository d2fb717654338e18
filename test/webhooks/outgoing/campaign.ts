/** `npm run campaign`: the tests of `lost.test.ts` for much longer. */
import { parseArgs } from 'node:util'
import { deliverDespiteKills, type Report } from './endurance.ts'
import { endureOutageOf } from './outages.ts'

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
  const report = await deliverDespiteKills(database, rounds, [least, 2 * least])
  acknowledged += report.acknowledged
  printReport(`${rounds} × kill -9 on ${database}`, report)
  printReport(`${database} away for ${outageMs / 1000} s`, await endureOutageOf(database, outageMs))
}
process.stdout.write(
  `${acknowledged} events were acknowledged between kills, more than ${wanted} are wanted\n`,
)
if (acknowledged <= wanted) process.exitCode = 1
process.exit()

function printReport(what: string, { duplicates, interrupted, ...report }: Report): void {
  const counts = `${report.acknowledged} acknowledged, 0 lost, ${duplicates} came twice, ${interrupted} were being sent`
  process.stdout.write(`${what}: ${counts}\n`)
  if (duplicates > interrupted) process.exitCode = 1
}
