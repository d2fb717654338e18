/** An application whose notes are reached by memberships, as a process: a write takes a while before its commit. */
import { setTimeout as delay } from 'node:timers/promises'
import { runCommandLine } from '../../src/cli/command-line.ts'
import { entity, reference, text, user } from '../../src/index.ts'
import { migrated } from './migrated.ts'

const maxDelayMs = 20

const team = entity('team', { fields: { name: text() } })
const teamMember = entity('teamMember', { fields: { team: reference(team), member: user() } })
const note = entity('note', {
  fields: { body: text(), team: reference(team) },
  access: { rows: ({ row, actor }) => row.team.in(actor.via(teamMember, 'member', 'team')) },
  hooks: { afterChange: () => delay(Math.random() * maxDelayMs) },
})

process.exitCode = await runCommandLine(process.argv.slice(2), {
  features: migrated([team, teamMember, note]),
})
