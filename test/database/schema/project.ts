/** An application whose tables change, and the database on which its migrations are run. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database, Row } from '../../../src/database/executor.ts'
import { migrate } from '../../../src/database/migrate/apply.ts'
import { isEmpty } from '../../../src/database/schema/change.ts'
import { compareTables } from '../../../src/database/schema/compare.ts'
import { type Decisions, readDecisions } from '../../../src/database/schema/decisions.ts'
import { postgresStatements } from '../../../src/database/schema/postgres-statements.ts'
import { readMigrations, writeMigration } from '../../../src/database/schema/read-migrations.ts'
import { sqliteStatements } from '../../../src/database/schema/sqlite-statements.ts'
import { placeholders, quote } from '../../../src/database/sql-text.ts'
import { openSqlite } from '../../../src/database/sqlite/sqlite-database.ts'
import type { Table } from '../../../src/database/table.ts'
import { entityFeature } from '../../../src/entity/feature.ts'
import { newDatabase, type OpenedDatabase } from '../../support/database/opened.ts'
import type { DatabaseName } from '../../support/databases.ts'

/** A folder of migrations. */
export class Project implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'tenantry-project-'))

  /** Writes what `migrate diff` does. @throws Error with the questions, if there are any */
  write(tables: readonly Table[], decisions?: Decisions): void {
    const migrations = readMigrations(this.folder)
    const { change, questions } = compareTables(migrations.snapshot, tables, decisions)
    if (questions.length > 0) throw new Error(questions.map(({ text }) => text).join('\n'))
    if (isEmpty(change)) return
    const statements = { sqlite: sqliteStatements(change), postgres: postgresStatements(change) }
    writeMigration(migrations, 'change', { statements, oldestVersion: null }, tables)
  }

  async apply(database: Database): Promise<string[]> {
    const { migrations } = readMigrations(this.folder)
    return migrate(database, [...(entityFeature.migrations ?? []), ...migrations])
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Databases with nothing in them, one after the other: on PostgreSQL one database is emptied again and again. */
export class EmptyDatabases {
  readonly #opened: OpenedDatabase
  readonly #folder = mkdtempSync(join(tmpdir(), 'tenantry-empty-'))
  readonly #files: Database[] = []
  readonly #server: Database | null

  private constructor(opened: OpenedDatabase, server: Database | null) {
    this.#opened = opened
    this.#server = server
  }

  static async on(name: DatabaseName): Promise<EmptyDatabases> {
    const opened = await newDatabase(name)
    return new EmptyDatabases(opened, name === 'postgres' ? opened.open() : null)
  }

  async next(): Promise<Database> {
    const server = this.#server
    if (server === null) {
      await this.#files.pop()?.close()
      const file = openSqlite(join(this.#folder, `${crypto.randomUUID()}.db`))
      this.#files.push(file)
      return file
    }
    await server.transaction(async (transaction) => {
      for (const sql of [
        'SET LOCAL client_min_messages = warning',
        'DROP SCHEMA public CASCADE',
        'CREATE SCHEMA public',
      ])
        await transaction.run(sql, [], false)
    })
    return server
  }

  async close(): Promise<void> {
    for (const file of this.#files) await file.close()
    await this.#opened.drop()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

export function decide(...words: readonly string[]): Decisions {
  const given = (option: string) => words.filter((_word, place) => words[place - 1] === `--${option}`)
  return readDecisions(given('rename'), given('drop'), given('fill'))
}

export async function insert(database: Database, table: string, rows: readonly Row[]): Promise<void> {
  const placeholder = placeholders(database.dialect)
  for (const row of rows) {
    const names = Object.keys(row)
    const values = names.map((_name, place) => placeholder(place + 1))
    const sql = `INSERT INTO ${quote(table)} (${names.map(quote).join(', ')}) VALUES (${values.join(', ')})`
    await database.transaction(async (transaction) => {
      await transaction.run(sql, Object.values(row), false)
    })
  }
}

/** By tenant and key; their members in the order of the alphabet. */
export async function rowsOf(
  { executor }: Database,
  { name, columns, key }: Pick<Table, 'name' | 'columns' | 'key'>,
): Promise<Row[]> {
  const names = ['tenant_id', ...columns.map((column) => column.name)].toSorted().map(quote)
  const order = ['tenant_id', ...key].map(quote)
  const sql = `SELECT ${names.join(', ')} FROM ${quote(name)} ORDER BY ${order.join(', ')}`
  return (await executor.run(sql, [], false)).rows.map((row) => ({ ...row }))
}
