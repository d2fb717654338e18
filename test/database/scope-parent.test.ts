/** The scope of a table without a tenant column, whose rows belong to those of another, by its SQL. */
import { describe } from 'node:test'
import { assertRefused, becomes, becomesForUser } from './library.ts'

function hasOwnDraft(table: string, owner = '"owner"."tenant_id" = ?'): string {
  return `exists (select "owner"."id" from "draft" as "owner" where "owner"."id" = "${table}"."draft_id" and ${owner})`
}

const ofUser = 'not "owner"."tenant_id" <> ? and "owner"."account_id" = ?'

describe('rows that belong to a row of another table are restricted by it', () => {
  becomes(
    'when they are selected',
    (db) => db.selectFrom('revision').select('text').where('id', '=', '1'),
    `select "text" from "revision" where ${hasOwnDraft('revision')} and ("id" = ?)`,
    ['acme', '1'],
  )
  becomes(
    'whatever an OR says',
    (db) =>
      db
        .selectFrom('revision as r')
        .select('r.text')
        .where((eb) => eb.or([eb('r.id', '=', '1'), eb('r.text', '!=', '')])),
    `select "r"."text" from "revision" as "r" where ${hasOwnDraft('r')} and (("r"."id" = ? or "r"."text" != ?))`,
    ['acme', '1', ''],
  )
  becomes(
    'when they are joined',
    (db) =>
      db
        .selectFrom('draft')
        .innerJoin('revision', 'revision.draft_id', 'draft.id')
        .leftJoin('revision as last', 'last.draft_id', 'draft.id')
        .select('revision.text'),
    'select "revision"."text" from "draft" ' +
      `inner join "revision" on ${hasOwnDraft('revision')} and ("revision"."draft_id" = "draft"."id") ` +
      `left join "revision" as "last" on ${hasOwnDraft('last')} and ("last"."draft_id" = "draft"."id") ` +
      'where "draft"."tenant_id" = ?',
    ['acme', 'acme', 'acme'],
  )
  becomes(
    'when they are updated',
    (db) => db.updateTable('revision').set({ text: 'b' }).where('id', '=', '1'),
    `update "revision" set "text" = ? where ${hasOwnDraft('revision')} and ("id" = ?)`,
    ['b', 'acme', '1'],
  )
  becomes(
    'when they are deleted',
    (db) => db.deleteFrom('revision').where('id', '=', '1'),
    `delete from "revision" where ${hasOwnDraft('revision')} and ("id" = ?)`,
    ['acme', '1'],
  )
  becomes(
    'when they are inserted',
    (db) => db.insertInto('revision').values({ id: '1', draft_id: 'd', text: 'a' }),
    'insert into "revision" ("id", "draft_id", "text") values (?, ' +
      '(select "owner"."id" from "draft" as "owner" where "owner"."id" = ? and "owner"."tenant_id" = ?), ?)',
    ['1', 'd', 'acme', 'a'],
  )
  becomesForUser(
    'for a user when they are selected',
    (db) => db.selectFrom('revision').select('text'),
    `select "text" from "revision" where ${hasOwnDraft('revision', ofUser)}`,
    ['acme', 'ada'],
  )
  becomesForUser(
    'for a user when they are inserted',
    (db) => db.insertInto('revision').values({ id: '1', draft_id: 'd', text: 'a' }),
    'insert into "revision" ("id", "draft_id", "text") values (?, ' +
      `(select "owner"."id" from "draft" as "owner" where "owner"."id" = ? and ${ofUser}), ?)`,
    ['1', 'd', 'acme', 'ada', 'a'],
  )
  assertRefused(
    'and not inserted without the row to which they belong',
    (db) => db.insertInto('revision').values({ id: '1', text: 'a' } as never), // the types demand it
    /draft_id/,
  )
  assertRefused(
    'and not inserted over another row',
    (db) =>
      db
        .insertInto('revision')
        .values({ id: '1', draft_id: 'd', text: 'a' })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ text: 'b' })),
    /plain values/,
  )
  assertRefused(
    'and never given to another row',
    (db) => db.updateTable('revision').set({ draft_id: 'other' }),
    /draft_id/,
  )
})
