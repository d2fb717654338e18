import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionTable, placementTable } from '../../bench/simulation/tables.ts'
import { readDocument } from './markdown.ts'

test('the page on scaling has the tables that the simulation gives', () => {
  const page = readDocument('docs/scaling.md')
  for (const table of [placementTable(), connectionTable()]) assert.ok(page.includes(`\n${table}\n`), table)
})
