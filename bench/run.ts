/** `npm run bench`: measures, and says which of the figures to hold are reached. */
import { parseArgs } from 'node:util'
import { Load } from './load/load.ts'
import { describeMachine } from './machine.ts'
import type { Finding } from './row/finding.ts'
import { measurements, quick, thorough } from './rows.ts'
import { renderTable } from './table.ts'

const usage = `npm run bench -- [--quick] [--only <row>]... [--tenants <number>] [--rows <number>]
Rows: ${measurements.flatMap(({ rows }) => rows).join(', ')}`

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    tenants: { type: 'string' },
    rows: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (options.help) console.log(usage)
else process.exitCode = (await measureAll()).every(({ reached }) => reached) ? 0 : 1

async function measureAll(): Promise<Finding[]> {
  const begin = performance.now()
  const usual = options.quick ? quick : thorough
  const effort = {
    ...usual,
    ...(options.tenants !== undefined && { tenants: Number(options.tenants) }),
    ...(options.rows !== undefined && { access: { ...usual.access, rows: [Number(options.rows)] } }),
  }
  const findings: Finding[] = []
  const load = new Load()
  console.log(describeMachine())
  for (const { rows, measure } of chosen()) {
    process.stderr.write(`measuring ${rows.filter(isWanted).join(', ')} …\n`)
    findings.push(...(await measure(effort, load, isWanted)))
  }
  load.stop()
  const seconds = ((performance.now() - begin) / 1000).toFixed(0)
  console.log(`\n${renderTable(findings)}\n\n${options.quick ? 'Quick look' : 'Measured'} in ${seconds} s`)
  return findings
}

function chosen() {
  const known = new Set(measurements.flatMap(({ rows }) => rows))
  const unknown = options.only.filter((row) => !known.has(row))
  if (unknown.length > 0) throw new Error(`There is no row ${unknown.join(', ')}.\n${usage}`)
  return measurements.filter(({ rows }) => rows.some(isWanted))
}

function isWanted(row: string): boolean {
  return options.only.length === 0 || options.only.includes(row)
}
