/** What the document says of a run. */
import type { WorkName } from '../speed/works.ts'
import type { Peer } from './contender.ts'
import { versionOf } from './packages.ts'

export interface Figure {
  work: WorkName
  /** Of Tenantry, then of each peer. */
  microseconds: number[]
}

interface Measured {
  machine: string
  peers: readonly Peer[]
  figures: readonly Figure[]
  memoryMb: readonly number[]
}

export function tableOf({ machine, peers, figures, memoryMb }: Measured): string {
  const names = ['Tenantry', ...peers.map(({ name, packageName }) => `${name} ${versionOf(packageName)}`)]
  const lines = figures.map(({ work, microseconds }) => row(work, microseconds, 'µs'))
  return [
    `${machine}:`,
    '',
    `| Request | ${names.join(' | ')} |`,
    `|---|${'---|'.repeat(names.length)}`,
    ...lines,
    row('memory after the load', memoryMb, 'MB'),
    '',
    ...peers.map(({ name, unlike }) => `- **${name}.** ${unlike}`),
  ].join('\n')
}

/** Each figure of a peer with how often ours fits into it. */
function row(name: string, values: readonly number[], unit: string): string {
  const ours = values[0] ?? Number.NaN
  const cells = values.map((value, index) => {
    const figure = `${value.toFixed(0)} ${unit}`
    return index === 0 ? figure : `${figure} (${(value / ours).toFixed(1)})`
  })
  return `| ${name} | ${cells.join(' | ')} |`
}
