/** A condition on the columns of the scope that a statement has itself does not take the place of the scope. */
import { describe } from 'node:test'
import { sql } from 'kysely'
import { becomes, becomesForUser } from './library.ts'

const ofTenant = '"note"."tenant_id" = ?'
const ofUser = 'not "draft"."tenant_id" <> ? and "draft"."account_id" = ?'

describe('the scope of a tenant stays', () => {
  becomes(
    'beside the id of another tenant',
    (db) => db.selectFrom('note').select('id').where('note.tenant_id', '=', 'other'),
    `select "id" from "note" where ${ofTenant} and ("note"."tenant_id" = ?)`,
    ['acme', 'other'],
  )
  becomes(
    'beside its own id in an OR',
    (db) =>
      db
        .selectFrom('note')
        .select('id')
        .where((eb) => eb.or([eb('note.tenant_id', '=', 'acme'), eb('stars', '>', 0)])),
    `select "id" from "note" where ${ofTenant} and (("note"."tenant_id" = ? or "stars" > ?))`,
    ['acme', 'acme', 0],
  )
  becomes(
    'beside its own id as another comparison',
    (db) => db.deleteFrom('note').where('note.tenant_id', '>=', 'acme'),
    `delete from "note" where ${ofTenant} and ("note"."tenant_id" >= ?)`,
    ['acme', 'acme'],
  )
  becomes(
    'beside its own id in SQL',
    (db) => db.selectFrom('note').select('id').where(sql<boolean>`note.tenant_id = ${'acme'} OR true`),
    `select "id" from "note" where ${ofTenant} and (note.tenant_id = ? OR true)`,
    ['acme', 'acme'],
  )
  becomes(
    'beside its own id for another table',
    (db) =>
      db
        .selectFrom('note as n')
        .innerJoin('note', 'note.id', 'n.folder_id')
        .select('n.id')
        .where('note.tenant_id', '=', 'acme'),
    'select "n"."id" from "note" as "n" inner join "note" on "note"."tenant_id" = ? and ' +
      '("note"."id" = "n"."folder_id") where "n"."tenant_id" = ? and ("note"."tenant_id" = ?)',
    ['acme', 'acme', 'acme'],
  )
  becomes(
    'beside its own id for one of two tables',
    (db) => db.selectFrom(['note', 'folder']).select('note.id').where('note.tenant_id', '=', 'acme'),
    `select "note"."id" from "note", "folder" where ${ofTenant} and "folder"."tenant_id" = ? and ` +
      '("note"."tenant_id" = ?)',
    ['acme', 'acme', 'acme'],
  )
  becomes(
    'beside its own id on a join',
    (db) =>
      db
        .selectFrom('folder')
        .leftJoin('note', (join) =>
          join.on((eb) => eb.or([eb('note.tenant_id', '=', 'acme'), eb('note.stars', '>', 0)])),
        )
        .select('folder.id'),
    `select "folder"."id" from "folder" left join "note" on ${ofTenant} and ` +
      '(("note"."tenant_id" = ? or "note"."stars" > ?)) where "folder"."tenant_id" = ?',
    ['acme', 'acme', 0, 'acme'],
  )
})

describe('the scope of a user stays', () => {
  becomesForUser(
    'beside the condition on the tenant without the one on the user',
    (db) =>
      db
        .selectFrom('draft')
        .select('id')
        .where((eb) => eb.not(eb('draft.tenant_id', '<>', 'acme')))
        .where('id', '=', '1'),
    `select "id" from "draft" where ${ofUser} and (not "draft"."tenant_id" <> ? and "id" = ?)`,
    ['acme', 'ada', 'acme', '1'],
  )
  becomesForUser(
    'beside the id of another user',
    (db) =>
      db
        .updateTable('draft')
        .set({ title: 'b' })
        .where((eb) => eb.not(eb('draft.tenant_id', '<>', 'acme')))
        .where('draft.account_id', '=', 'bob'),
    `update "draft" set "title" = ? where ${ofUser} and ` +
      '(not "draft"."tenant_id" <> ? and "draft"."account_id" = ?)',
    ['b', 'acme', 'ada', 'acme', 'bob'],
  )
  becomesForUser(
    'beside its own id without the tenant',
    (db) => db.deleteFrom('draft').where('draft.account_id', '=', 'ada'),
    `delete from "draft" where ${ofUser} and ("draft"."account_id" = ?)`,
    ['acme', 'ada', 'ada'],
  )
  becomesForUser(
    'beside its own ids in an OR',
    (db) =>
      db
        .deleteFrom('draft')
        .where((eb) => eb.or([eb('draft.account_id', '=', 'ada'), eb('draft.tenant_id', '=', 'acme')])),
    `delete from "draft" where ${ofUser} and (("draft"."account_id" = ? or "draft"."tenant_id" = ?))`,
    ['acme', 'ada', 'ada', 'acme'],
  )
})
