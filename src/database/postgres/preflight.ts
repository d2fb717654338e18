/** Checks before tables are created that a PostgreSQL database allows it. */
import type { Executor } from '../executor.ts'

/** @returns the problems with their solutions; none where tables can be created */
export async function obstaclesToMigration(executor: Executor): Promise<string[]> {
  if (executor.dialect === 'sqlite') return []
  const sql = `SELECT current_user AS role, current_database() AS database, current_schema() AS schema,
    current_setting('server_encoding') AS encoding,
    has_schema_privilege(current_schema(), 'CREATE') AS may_create`
  const { rows } = await executor.run(sql, [], false)
  const [{ role, database, schema, encoding, may_create: mayCreate } = {}] = rows
  const found: string[] = []
  if (encoding !== 'UTF8')
    found.push(
      `The database ${database} has the encoding ${encoding}, which does not hold every text: create another one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
    )
  if (schema === null)
    found.push(
      `The role ${role} has no schema to create tables in: run CREATE SCHEMA "${role}" AUTHORIZATION "${role}" in the database ${database}, or correct the search_path.`,
    )
  else if (mayCreate !== true)
    found.push(
      `The role ${role} may not create tables in the schema ${schema}: run GRANT CREATE ON SCHEMA "${schema}" TO "${role}" in the database ${database}.`,
    )
  return found
}
