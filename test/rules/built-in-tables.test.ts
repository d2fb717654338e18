import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareTables } from '../../src/database/schema/compare.ts'
import { describeChange } from '../../src/database/schema/describe.ts'
import { builtInDefinitions } from '../../src/service/built-in-definitions.ts'
import { declaredTables } from '../../src/service/declared-tables.ts'

test('the migrations of built-in entities make the tables that they define', () => {
  const definitions = builtInDefinitions()
  assert.ok(definitions !== null)
  const { change, questions } = compareTables(
    definitions.migrations.snapshot,
    declaredTables(definitions.features),
  )
  const differences = [...describeChange(change), ...questions.map(({ text }) => text)]
  assert.ok(differences.length === 0, [...differences, '→ run: npm run migrate-diff'].join('\n'))
})
