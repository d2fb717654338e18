/** Small tables of tenants and of users, and the exact SQL of queries on them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Compilable, Kysely, type Dialect as KyselyDialect } from 'kysely'
import { compileOnly } from '../../src/database/dialect.ts'
import type { Dialect } from '../../src/database/executor.ts'
import { type Scope, scopeTo, type TenantColumn } from '../../src/database/scope.ts'
import { belongsTo } from '../../src/database/scope-parent.ts'

/** Notes and their folders; drafts of users, their revisions and the names of users. */
export interface Library {
  note: { tenant_id: TenantColumn; id: string; folder_id: string | null; title: string; stars: number }
  folder: { tenant_id: TenantColumn; id: string; name: string }
  draft: { tenant_id: TenantColumn; account_id: TenantColumn; id: string; title: string }
  pen_name: { tenant_id: TenantColumn; account_id: TenantColumn; name: string; style: string }
  /** Without a tenant of its own. */
  revision: { id: string; draft_id: string; text: string }
}

belongsTo('revision', { column: 'draft_id', table: 'draft' })

type Build = (db: Kysely<Library>) => Compilable

const dialects: Dialect[] = ['sqlite', 'postgres']

const ofTenant: Scope = { tenant: 'acme' }
const ofUser: Scope = { tenant: 'acme', user: 'ada' }

export function libraryOf(tenant: string, dialect: KyselyDialect): Kysely<Library> {
  return libraryIn({ tenant }, dialect)
}

export function libraryIn(scope: Scope, dialect: KyselyDialect): Kysely<Library> {
  return new Kysely<Library>({ dialect, plugins: [scopeTo(scope)] })
}

/** @param expected the same on both databases, with `?` for each parameter */
export const becomes = becomesIn(ofTenant)

/** For the user `ada` of the tenant. */
export const becomesForUser = becomesIn(ofUser)

export const assertRefused = assertRefusedIn(ofTenant)

export const assertRefusedForUser = assertRefusedIn(ofUser)

function becomesIn(scope: Scope) {
  return (title: string, build: Build, expected: string, parameters: unknown[]): void => {
    for (const dialect of dialects) {
      test(`${title}, on ${dialect}`, () => {
        const compiled = build(libraryIn(scope, compileOnly(dialect))).compile()
        assert.equal(compiled.sql, dialect === 'postgres' ? numberParameters(expected) : expected)
        assert.deepEqual(compiled.parameters, parameters)
      })
    }
  }
}

function assertRefusedIn(scope: Scope) {
  return (title: string, build: Build, reason: RegExp): void => {
    test(title, () => {
      assert.throws(() => build(libraryIn(scope, compileOnly('postgres'))).compile(), reason)
    })
  }
}

function numberParameters(text: string): string {
  let count = 0
  return text.replaceAll('?', () => `$${++count}`)
}
