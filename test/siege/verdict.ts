/** The bounds that hold under every attack, and the table of the results. */
import type { Finding } from './siege.ts'

interface Bound {
  title: string
  /** @returns whether it holds, beside how the service was without an attack */
  holds(finding: Finding, idle: Finding): boolean
}

const maxReadMs = 250
const maxTimesIdle = 5
const maxHealthMs = 100
const maxMb = 512

const bounds: Bound[] = [
  { title: 'lives', holds: ({ died }) => !died },
  {
    title: `reads p99 ≤ ${maxTimesIdle} × idle`,
    holds: ({ reads }, idle) => percentile(reads, 99) <= maxTimesIdle * percentile(idle.reads, 99),
  },
  { title: `reads ≤ ${maxReadMs} ms`, holds: ({ reads }) => Math.max(...reads) <= maxReadMs },
  { title: 'all reads answered', holds: (finding) => faultsOf(finding, 'read') === 0 },
  { title: 'no write refused', holds: (finding) => faultsOf(finding, 'write') === 0 },
  { title: `health ≤ ${maxHealthMs} ms`, holds: ({ health }) => Math.max(...health) <= maxHealthMs },
  { title: `memory ≤ ${maxMb} MB`, holds: ({ peakMb }) => peakMb <= maxMb },
]

/** @returns the bounds that do not hold */
export function missedBounds(finding: Finding, idle: Finding): string[] {
  return bounds.filter(({ holds }) => !holds(finding, idle)).map(({ title }) => title)
}

/** Markdown; milliseconds where nothing else is said. */
export function renderFindings(findings: readonly Finding[], idle: Finding): string {
  const titles = ['attack', 'requests', 'replies', 'reads p50', 'p99', 'max', 'writes max', 'faults']
  const more = ['health max', 'memory MB', 'lag', 'noise', 'errors logged', 'missed']
  const rows = findings.map((finding) => rowOf(finding, idle).join(' | '))
  const head = [...titles, ...more]
  return [head.join(' | '), head.map(() => '---').join(' | '), ...rows].map((row) => `| ${row} |`).join('\n')
}

export function rowOf(finding: Finding, idle: Finding): string[] {
  const { attack, counts, reads, writes, faults, health, peakMb, lagMs, noiseMs } = finding
  const { sent = 0, opened = 0, ...replies } = counts
  const missed = missedBounds(finding, idle)
  return [
    attack,
    `${sent + opened}`,
    countsAsText(replies),
    ...[percentile(reads, 50), percentile(reads, 99), Math.max(...reads), Math.max(...writes)].map(shownMs),
    countsAsText(faults) || '0',
    shownMs(Math.max(...health)),
    peakMb.toFixed(0),
    shownMs(lagMs),
    shownMs(noiseMs),
    countsAsText(finding.errors) || '0',
    missed.join(', ') || 'none',
  ]
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.POSITIVE_INFINITY
}

function faultsOf({ faults }: Finding, kind: string): number {
  const found = Object.entries(faults).filter(([fault]) => fault.startsWith(`${kind} `))
  return found.reduce((sum, [, count]) => sum + count, 0)
}

function countsAsText(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${what}: ${count}`)
    .join(', ')
}

function shownMs(ms: number): string {
  return Number.isFinite(ms) ? ms.toFixed(ms < 10 ? 1 : 0) : '–'
}
