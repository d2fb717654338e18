import { describe } from 'node:test'
import { sql } from 'kysely'
import { assertRefused, becomes } from './library.ts'

const note = { id: '1', folder_id: null, title: 'a', stars: 1 }

describe('a change is restricted to its tenant', () => {
  becomes(
    'when it updates',
    (db) =>
      db
        .updateTable('note')
        .set({ title: 'b' })
        .where((eb) => eb.or([eb('id', '=', '1'), eb('id', '=', '2')])),
    'update "note" set "title" = ? where "note"."tenant_id" = ? and (("id" = ? or "id" = ?))',
    ['b', 'acme', '1', '2'],
  )
  becomes(
    'when it updates from another table',
    (db) =>
      db
        .updateTable('note as n')
        .from('folder as f')
        .set({ title: 'b' })
        .whereRef('f.id', '=', 'n.folder_id'),
    'update "note" as "n" set "title" = ? from "folder" as "f" where "n"."tenant_id" = ? ' +
      'and "f"."tenant_id" = ? and ("f"."id" = "n"."folder_id")',
    ['b', 'acme', 'acme'],
  )
  becomes(
    'when it deletes',
    (db) => db.deleteFrom('note').where('id', '=', '1').returning('id'),
    'delete from "note" where "note"."tenant_id" = ? and ("id" = ?) returning "id"',
    ['acme', '1'],
  )
  becomes(
    'when it deletes using another table',
    (db) => db.deleteFrom('note').using('folder as f').whereRef('f.id', '=', 'note.folder_id'),
    'delete from "note" using "folder" as "f" where "note"."tenant_id" = ? and "f"."tenant_id" = ? ' +
      'and ("f"."id" = "note"."folder_id")',
    ['acme', 'acme'],
  )
  assertRefused(
    'and refused when it moves a row to another tenant',
    (db) => db.updateTable('note').set({ ['tenant_id' as string]: 'other' }),
    /tenant/,
  )
  assertRefused(
    'and refused as MERGE',
    (db) => db.mergeInto('note').using('folder', 'folder.id', 'note.folder_id').whenMatched().thenDelete(),
    /MERGE/,
  )
})

describe('a row is inserted for its tenant', () => {
  becomes(
    'alone',
    (db) => db.insertInto('note').values(note),
    'insert into "note" ("id", "folder_id", "title", "stars", "tenant_id") values (?, ?, ?, ?, ?)',
    ['1', null, 'a', 1, 'acme'],
  )
  becomes(
    'among others',
    (db) =>
      db.insertInto('folder').values([
        { id: '1', name: 'a' },
        { id: '2', name: sql<string>`upper(${'b'})` },
      ]),
    'insert into "folder" ("id", "name", "tenant_id") values (?, ?, ?), (?, upper(?), ?)',
    ['1', 'a', 'acme', '2', 'b', 'acme'],
  )
  becomes(
    'unless it is there',
    (db) =>
      db
        .insertInto('folder')
        .values({ id: '1', name: 'a' })
        .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doUpdateSet({ name: 'b' })),
    'insert into "folder" ("id", "name", "tenant_id") values (?, ?, ?) ' +
      'on conflict ("tenant_id", "id") do update set "name" = ?',
    ['1', 'a', 'acme', 'b'],
  )
  assertRefused(
    'and refused with a tenant of its own',
    (db) => db.insertInto('folder').values({ id: '1', name: 'a', ['tenant_id' as string]: 'other' }),
    /tenant/,
  )
  assertRefused(
    'and refused when a conflict would move it to another tenant',
    (db) =>
      db
        .insertInto('folder')
        .values({ id: '1', name: 'a' })
        .onConflict((conflict) =>
          conflict.columns(['tenant_id', 'id']).doUpdateSet({ ['tenant_id' as string]: 'other' }),
        ),
    /tenant/,
  )
  assertRefused(
    'and refused from a select',
    (db) => db.insertInto('folder').columns(['id']).expression(db.selectFrom('note').select('id')),
    /by values only/,
  )
  assertRefused(
    'and refused without values',
    (db) => db.insertInto('folder').defaultValues(),
    /by values only/,
  )
})
