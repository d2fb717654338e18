import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeChange } from '../../src/database/schema/describe.ts'
import { builtInDefinitions, compareDefinitions } from '../../src/service/definitions.ts'

test('the migrations of built-in entities make the tables that they define', () => {
  const definitions = builtInDefinitions()
  assert.ok(definitions.length > 0)
  const { change, questions } = compareDefinitions(definitions)
  const differences = [...describeChange(change), ...questions.map(({ text }) => text)]
  assert.ok(differences.length === 0, [...differences, '→ run: npm run migrate-diff'].join('\n'))
})
