/** What documents say of the limits, from their declarations. */
import { settings } from '../../../src/core/settings/settings.ts'
import type { Limit } from '../../../src/database/limit.ts'
import { limits } from '../../../src/service/limits.ts'
import { code, tableOf } from './table.ts'

const headings: Record<Limit['kind'], string> = { permits: 'Permits', rate: 'Rates', memory: 'Memory' }
const shown: ReadonlyMap<string, { shown: string }> = new Map(Object.entries(settings))

export function limitsTables(): string {
  const kinds = Object.entries(headings).map(([kind, heading]) => {
    const rows = limits.filter((limit) => limit.kind === kind).map(rowOf)
    const head = ['What', 'Bounds', 'Changed by', 'Beyond', 'Seen by']
    return `\n## ${heading}\n\n${tableOf(head, rows)}`
  })
  return `${kinds.join('')}\n`
}

function rowOf(limit: Limit): string[] {
  const { name, bounds, unit, changedBy = [], beyond, page, reasons = [], metrics = [] } = limit
  const seen = [
    ...metrics.map(code),
    ...(reasons.length === 0 ? [] : [`reason ${reasons.map(code).join(', ')}`]),
  ]
  return [
    `[${name.charAt(0).toUpperCase()}${name.slice(1)}](${page})`,
    Object.entries(bounds)
      .map(([holder, max]) => `${holder}: ${amount(max, unit)}`)
      .join('; '),
    changedBy.map(nameOf).join(', '),
    beyond,
    seen.join('; '),
  ]
}

function amount(max: number | string, unit: Limit['unit']): string {
  if (typeof max === 'string') return unit === 'cost units' ? max.replace(' in ', ' cost units in ') : max
  return unit === 'bytes' ? `${max / 1024 / 1024} MiB` : String(max)
}

/** A setting has its default beside it. */
function nameOf(name: string): string {
  const setting = shown.get(name)
  return setting === undefined ? code(name) : `${code(name)} (${setting.shown})`
}
