import type { Finding } from './row/finding.ts'

const gap = '  '

/** Aligned columns; what a line says beyond its figure stands below it. */
export function renderTable(findings: readonly Finding[]): string {
  const head = ['Row', 'Work', 'Figure', 'Target', '']
  const lines = findings.map(({ row, work, figure, target, reached }) => {
    const verdict = target === null ? 'for information' : reached ? 'reached' : 'MISSED'
    return [row, work, figure, target ?? '', verdict]
  })
  const widths = head.map((_title, column) =>
    Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)),
  )
  const align = (line: string[]) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(gap)
      .trimEnd()
  const indent = ' '.repeat((widths[0] ?? 0) + gap.length)
  const body = lines.flatMap((line, index) => [align(line), `${indent}${findings[index]?.detail ?? ''}`])
  return [align(head), ...body].join('\n')
}
