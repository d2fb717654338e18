/** Writes the table of audited actions in `docs/api/audit.md` from the actions themselves. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { auditActions } from '../../src/core/audit/action.ts'
import { readProjectFile, root } from './source.ts'

export const path = 'docs/api/audit.md'

const begin = '<!-- audited actions -->'
const end = '<!-- /audited actions -->'

/** @returns the page with its table renewed, @throws Error when it has no place for one */
export function withAuditTable(page: string): string {
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`The page has no ${begin} followed by ${end}.`)
  const rows = Object.entries(auditActions).map(([action, when]) => `| \`${action}\` | ${when} |\n`)
  const table = `| Action | When |\n|---|---|\n${rows.join('')}`
  return `${page.slice(0, from + begin.length)}\n${table}${page.slice(to)}`
}

if (import.meta.main) writeFileSync(join(root, path), withAuditTable(readProjectFile(path) ?? ''))
