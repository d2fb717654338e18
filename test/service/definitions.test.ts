/** Definitions in several groups, each with migrations in a folder of its own, as the built-in entities are. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeChange } from '../../src/database/schema/describe.ts'
import { changeIn, compareDefinitions, type Definitions } from '../../src/service/definitions.ts'
import { decide } from '../database/schema/project.ts'
import { column, table } from '../database/schema/tables.ts'

const noteBefore = table('note', [column('title', 'key')])
const noteNow = table('note', [column('name', 'key')])

it('A change of definitions is written where its tables are, and a decision concerns one group', () => {
  const notes = group([noteBefore], [noteNow])
  const regions = group([table('old_region', [])], [table('region', [])])
  const all = [notes, regions]
  const { change, questions } = compareDefinitions(
    all,
    decide('--rename', 'note.title=note.name', '--drop', 'old_region'),
  )
  assert.deepEqual(questions, [])
  assert.deepEqual(
    all.map((each) => describeChange(changeIn(each, change))),
    [['note: rename title to name'], ['create table region', 'drop table old_region']],
  )
  const unknown = compareDefinitions(all, decide('--drop', 'nothing'))
  assert.ok(unknown.questions.some(({ text }) => text.includes('nothing')))
})

function group(snapshot: Definitions['tables'], tables: Definitions['tables']): Definitions {
  return { tables, migrations: { folder: '', migrations: [], snapshot }, oldestVersion: null }
}
