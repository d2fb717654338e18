import { describe } from 'node:test'
import { sql } from 'kysely'
import { assertRefused, becomes } from './library.ts'

describe('a select is restricted to its tenant', () => {
  becomes(
    'from one table',
    (db) => db.selectFrom('note').select('id'),
    'select "id" from "note" where "note"."tenant_id" = ?',
    ['acme'],
  )
  becomes(
    'by the alias of the table',
    (db) => db.selectFrom('note as n').select('n.id').where('n.id', '=', '1'),
    'select "n"."id" from "note" as "n" where "n"."tenant_id" = ? and ("n"."id" = ?)',
    ['acme', '1'],
  )
  becomes(
    'from each of several tables',
    (db) => db.selectFrom(['note as n', 'folder as f']).select('n.id'),
    'select "n"."id" from "note" as "n", "folder" as "f" where "n"."tenant_id" = ? and "f"."tenant_id" = ?',
    ['acme', 'acme'],
  )
  becomes(
    'whatever an OR says',
    (db) =>
      db
        .selectFrom('note')
        .select('id')
        .where((eb) => eb.or([eb('stars', '>', 3), eb('title', '=', 'a')])),
    'select "id" from "note" where "note"."tenant_id" = ? and (("stars" > ? or "title" = ?))',
    ['acme', 3, 'a'],
  )
  becomes(
    'on an inner join',
    (db) => db.selectFrom('note as n').innerJoin('folder as f', 'f.id', 'n.folder_id').select('n.id'),
    'select "n"."id" from "note" as "n" inner join "folder" as "f" on "f"."tenant_id" = ? ' +
      'and ("f"."id" = "n"."folder_id") where "n"."tenant_id" = ?',
    ['acme', 'acme'],
  )
  becomes(
    'on a left join, which keeps its rows without a partner',
    (db) =>
      db
        .selectFrom('note')
        .leftJoin('folder', (join) =>
          join.on((eb) =>
            eb.or([eb('folder.id', '=', eb.ref('note.folder_id')), eb('folder.name', 'is', null)]),
          ),
        )
        .select('note.id'),
    'select "note"."id" from "note" left join "folder" on "folder"."tenant_id" = ? ' +
      'and (("folder"."id" = "note"."folder_id" or "folder"."name" is null)) where "note"."tenant_id" = ?',
    ['acme', 'acme'],
  )
  becomes(
    'in a subquery',
    (db) =>
      db
        .selectFrom('note')
        .select('id')
        .where((eb) => eb('folder_id', 'in', eb.selectFrom('folder').select('id').where('name', '=', 'x'))),
    'select "id" from "note" where "note"."tenant_id" = ? and ("folder_id" in ' +
      '(select "id" from "folder" where "folder"."tenant_id" = ? and ("name" = ?)))',
    ['acme', 'acme', 'x'],
  )
  becomes(
    'in a column that is a subquery',
    (db) =>
      db
        .selectFrom('note')
        .select((eb) =>
          eb.selectFrom('folder').select('name').whereRef('folder.id', '=', 'note.folder_id').as('folder'),
        ),
    'select (select "name" from "folder" where "folder"."tenant_id" = ? and ' +
      '("folder"."id" = "note"."folder_id")) as "folder" from "note" where "note"."tenant_id" = ?',
    ['acme', 'acme'],
  )
  becomes(
    'in each part of a union',
    (db) =>
      db
        .selectFrom('note')
        .select('id')
        .union((eb) => eb.selectFrom('folder').select('id')),
    'select "id" from "note" where "note"."tenant_id" = ? ' +
      'union select "id" from "folder" where "folder"."tenant_id" = ?',
    ['acme', 'acme'],
  )
  assertRefused(
    'and refused from a raw table',
    (db) => db.selectFrom(sql<{ id: string }>`note`.as('n')).select('n.id'),
    /raw/,
  )
  assertRefused(
    'and refused from the name of a table in SQL',
    (db) => db.selectFrom(sql.table<{ id: string }>('note').as('n')).select('n.id'),
    /raw/,
  )
  assertRefused(
    'and refused with a right join, which keeps the foreign rows that fail its condition',
    (db) =>
      db
        .selectFrom((eb) => eb.selectFrom('note').select('folder_id').as('n'))
        .rightJoin('folder as f', 'f.id', 'n.folder_id')
        .select('f.id'),
    /RightJoin/,
  )
  assertRefused(
    'and refused with a full join, which keeps them as well',
    (db) =>
      db
        .selectFrom((eb) => eb.selectFrom('note').select('folder_id').as('n'))
        .fullJoin('folder as f', 'f.id', 'n.folder_id')
        .select('f.id'),
    /FullJoin/,
  )
  assertRefused(
    'and refused with a cross join, which has no place for a condition',
    (db) => db.selectFrom('note').crossJoin('folder').select('note.id'),
    /CrossJoin/,
  )
})
