/** Two small tenant tables, and the exact SQL of queries on them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Compilable, Kysely, type Dialect as KyselyDialect } from 'kysely'
import { compileOnly } from '../../src/database/dialect.ts'
import type { Dialect } from '../../src/database/executor.ts'
import { scopeTo, type TenantColumn } from '../../src/database/scope.ts'

/** Notes and their folders. */
export interface Library {
  note: { tenant_id: TenantColumn; id: string; folder_id: string | null; title: string; stars: number }
  folder: { tenant_id: TenantColumn; id: string; name: string }
}

type Build = (db: Kysely<Library>) => Compilable

const dialects: Dialect[] = ['sqlite', 'postgres']

export function libraryOf(tenant: string, dialect: KyselyDialect): Kysely<Library> {
  return new Kysely<Library>({ dialect, plugins: [scopeTo({ tenant })] })
}

/** @param expected the same on both databases, with `?` for each parameter */
export function becomes(title: string, build: Build, expected: string, parameters: unknown[]): void {
  for (const dialect of dialects) {
    test(`${title}, on ${dialect}`, () => {
      const compiled = build(libraryOf('acme', compileOnly(dialect))).compile()
      assert.equal(compiled.sql, dialect === 'postgres' ? numberParameters(expected) : expected)
      assert.deepEqual(compiled.parameters, parameters)
    })
  }
}

export function assertRefused(title: string, build: Build, reason: RegExp): void {
  test(title, () => {
    assert.throws(() => build(libraryOf('acme', compileOnly('postgres'))).compile(), reason)
  })
}

function numberParameters(text: string): string {
  let count = 0
  return text.replaceAll('?', () => `$${++count}`)
}
