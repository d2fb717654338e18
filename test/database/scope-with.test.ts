import { describe } from 'node:test'
import { becomes } from './library.ts'

describe('a query with WITH is restricted where it reads a table', () => {
  becomes(
    'once',
    (db) =>
      db
        .with('good', (q) => q.selectFrom('note').select('id').where('stars', '>', 3))
        .selectFrom('good')
        .innerJoin('note as n', 'n.id', 'good.id')
        .select('n.id'),
    'with "good" as (select "id" from "note" where "note"."tenant_id" = ? and ("stars" > ?)) ' +
      'select "n"."id" from "good" inner join "note" as "n" on "n"."tenant_id" = ? and ("n"."id" = "good"."id")',
    ['acme', 3, 'acme'],
  )
  becomes(
    'also under the name of that table',
    (db) =>
      db
        .with('note', (q) => q.selectFrom('note').select('id'))
        .selectFrom('note')
        .select('id'),
    'with "note" as (select "id" from "note" where "note"."tenant_id" = ?) select "id" from "note"',
    ['acme'],
  )
  becomes(
    'also when the table is read outside',
    (db) =>
      db
        .selectFrom('folder')
        .select('id')
        .where((eb) =>
          eb(
            'id',
            'in',
            db
              .with('folder', (q) => q.selectFrom('note').select('folder_id as id').$castTo<{ id: string }>())
              .selectFrom('folder')
              .select('id'),
          ),
        ),
    'select "id" from "folder" where "folder"."tenant_id" = ? and ("id" in (with "folder" as ' +
      '(select "folder_id" as "id" from "note" where "note"."tenant_id" = ?) ' +
      'select "id" from "folder"))',
    ['acme', 'acme'],
  )
  becomes(
    'also by the next query',
    (db) => {
      db.with('note', (q) => q.selectFrom('folder').select('id'))
        .selectFrom('note')
        .select('id')
        .compile()
      return db.selectFrom('note').select('id')
    },
    'select "id" from "note" where "note"."tenant_id" = ?',
    ['acme'],
  )
  becomes(
    'also when it changes the table',
    (db) =>
      db
        .with('note', (q) => q.selectFrom('folder').select('id'))
        .deleteFrom('note')
        .where((eb) => eb('id', 'in', eb.selectFrom('note').select('id'))),
    'with "note" as (select "id" from "folder" where "folder"."tenant_id" = ?) delete from "note" ' +
      'where "note"."tenant_id" = ? and ("id" in (select "id" from "note"))',
    ['acme', 'acme'],
  )
  becomes(
    'recursively',
    (db) =>
      db
        .withRecursive('tree', (q) =>
          q
            .selectFrom('note')
            .select(['id', 'folder_id'])
            .unionAll(
              q
                .selectFrom('tree')
                .innerJoin('note as n', 'n.folder_id', 'tree.id')
                .select(['n.id', 'n.folder_id']),
            ),
        )
        .selectFrom('tree')
        .select('id'),
    'with recursive "tree" as (select "id", "folder_id" from "note" where "note"."tenant_id" = ? union all ' +
      'select "n"."id", "n"."folder_id" from "tree" inner join "note" as "n" on "n"."tenant_id" = ? and ' +
      '("n"."folder_id" = "tree"."id")) select "id" from "tree"',
    ['acme', 'acme'],
  )
})
