/**
 * `npm run siege`: every attack on a service with its default settings, on both databases, beside a tenant that means no
 * harm. Fails when that tenant notices more than it may. `--only graphql,logins` makes the attacks whose names begin so,
 * `--database sqlite` those on one database, `--seconds 10` makes each last longer,
 * `--profile folder` writes CPU profiles of the service there.
 */
import { parseArgs } from 'node:util'
import { describeMachine } from '../../bench/machine.ts'
import type { DatabaseName } from '../support/databases.ts'
import { attacks } from './attacks.ts'
import { type Finding, Siege } from './siege.ts'
import { missedBounds, renderFindings, rowOf } from './verdict.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    database: { type: 'string', default: '' },
    seconds: { type: 'string', default: '3' },
    profile: { type: 'string' },
  },
})
const ms = Number(values.seconds) * 1000
/** Of the well-behaved tenant alone; its slowest reads are what others are compared with. */
const idleMs = 5000
const databases = (['sqlite', 'postgres'] as const).filter((name) => name.startsWith(values.database))
const only = values.only.split(',')
const names = attacks
  .map(({ name }) => name)
  .filter((name) => only.some((beginning) => name.startsWith(beginning)))
if (databases.length === 0 || names.length === 0) throw new Error('Nothing is named so.')

process.stdout.write(`${describeMachine()}\n`)
for (const database of databases) await besiege(database)
process.exit()

async function besiege(database: DatabaseName): Promise<void> {
  await using siege = new Siege(database, values.profile)
  await siege.prepare()
  await siege.endure(null, idleMs) // the service warms up
  const idle = await siege.endure(null, idleMs)
  const findings: Finding[] = [idle]
  for (const name of names) {
    const finding = await siege.endure(name, ms)
    findings.push(finding)
    process.stderr.write(`${database}: ${rowOf(finding, idle).join(' | ')}\n`)
  }
  process.stdout.write(`\n## ${database}\n\n${renderFindings(findings, idle)}\n`)
  if (findings.some((finding) => missedBounds(finding, idle).length > 0)) process.exitCode = 1
}
