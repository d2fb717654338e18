import type { Executor } from '../../database/executor.ts'
import { placeholders } from '../../database/sql-text.ts'

/** @returns the bytes of files by tenant; without tenants that have no files */
export async function readFileUsage(
  executor: Executor,
  tenants: readonly string[],
): Promise<Map<string, number>> {
  if (tenants.length === 0) return new Map()
  const list = tenants.map((_each, index) => placeholders(executor.dialect)(index + 1))
  const text = `SELECT tenant_id, bytes FROM file_usage WHERE tenant_id IN (${list})`
  const { rows } = await executor.run(text, [...tenants], false)
  return new Map(rows.map(({ tenant_id, bytes }) => [String(tenant_id), Number(bytes)]))
}
