import assert from 'node:assert/strict'
import { test } from 'node:test'
import { versionOf } from '../../bench/peers/packages.ts'
import { connectionTable, placementTable } from '../../bench/simulation/tables.ts'
import { readDocument } from './markdown.ts'

test('the page on scaling has the tables that the simulation gives', () => {
  const page = readDocument('docs/scaling.md')
  for (const table of [placementTable(), connectionTable()]) assert.ok(page.includes(`\n${table}\n`), table)
})

test('the page on scaling has figures of the peers that are measured', () => {
  const [, head = ''] = /<!-- peers -->[^|]*(\|.*)\n/.exec(readDocument('docs/scaling.md')) ?? []
  const peers = { PostGraphile: 'postgraphile', 'Parse Server': 'parse-server', Payload: 'payload' }
  const columns = Object.entries(peers).map(([name, packageName]) => `${name} ${versionOf(packageName)}`)
  assert.equal(head, `| Request | Tenantry | ${columns.join(' | ')} |`, 'run: npm run speed:peers -- --write')
})
