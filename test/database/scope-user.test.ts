/** The scope of one user of a tenant, by its SQL. */
import { describe } from 'node:test'
import { assertRefusedForUser, becomesForUser } from './library.ts'

/** SQLite finds rows by the user, whatever the statistics. */
function own(table: string): string {
  return `not "${table}"."tenant_id" <> ? and "${table}"."account_id" = ?`
}

describe('a statement is restricted to a user', () => {
  becomesForUser(
    'when it selects',
    (db) => db.selectFrom('draft').select('title').where('id', '=', '1'),
    `select "title" from "draft" where ${own('draft')} and ("id" = ?)`,
    ['acme', 'ada', '1'],
  )
  becomesForUser(
    'whatever an OR says',
    (db) =>
      db
        .selectFrom('draft as d')
        .select('d.title')
        .where((eb) => eb.or([eb('d.id', '=', '1'), eb('d.title', '!=', '')])),
    `select "d"."title" from "draft" as "d" where ${own('d')} and (("d"."id" = ? or "d"."title" != ?))`,
    ['acme', 'ada', '1', ''],
  )
  becomesForUser(
    'when it joins',
    (db) =>
      db
        .selectFrom('draft as d')
        .innerJoin('pen_name as p', 'p.name', 'd.title')
        .leftJoin('draft as other', 'other.title', 'd.title')
        .select('d.id'),
    'select "d"."id" from "draft" as "d" ' +
      `inner join "pen_name" as "p" on ${own('p')} and ("p"."name" = "d"."title") ` +
      `left join "draft" as "other" on ${own('other')} and ("other"."title" = "d"."title") where ${own('d')}`,
    ['acme', 'ada', 'acme', 'ada', 'acme', 'ada'],
  )
  becomesForUser(
    'in a subquery',
    (db) =>
      db
        .selectFrom('draft')
        .select('id')
        .where((eb) => eb('title', 'in', eb.selectFrom('pen_name').select('name'))),
    `select "id" from "draft" where ${own('draft')} and ` +
      `("title" in (select "name" from "pen_name" where ${own('pen_name')}))`,
    ['acme', 'ada', 'acme', 'ada'],
  )
  becomesForUser(
    'when it updates',
    (db) => db.updateTable('draft').set({ title: 'b' }).where('id', '=', '1'),
    `update "draft" set "title" = ? where ${own('draft')} and ("id" = ?)`,
    ['b', 'acme', 'ada', '1'],
  )
  becomesForUser(
    'when it deletes',
    (db) => db.deleteFrom('draft'),
    `delete from "draft" where ${own('draft')}`,
    ['acme', 'ada'],
  )
  becomesForUser(
    'when it inserts',
    (db) =>
      db.insertInto('draft').values([
        { id: '1', title: 'a' },
        { id: '2', title: 'b' },
      ]),
    'insert into "draft" ("id", "title", "tenant_id", "account_id") values (?, ?, ?, ?), (?, ?, ?, ?)',
    ['1', 'a', 'acme', 'ada', '2', 'b', 'acme', 'ada'],
  )
  becomesForUser(
    'when a row is in the way',
    (db) =>
      db
        .insertInto('draft')
        .values({ id: '1', title: 'a' })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ title: 'b' })),
    'insert into "draft" ("id", "title", "tenant_id", "account_id") values (?, ?, ?, ?) ' +
      `on conflict ("id") do update set "title" = ? where ${own('draft')}`,
    ['1', 'a', 'acme', 'ada', 'b', 'acme', 'ada'],
  )
  becomesForUser(
    'when a row of the tenant is in the way, which may be of another user',
    (db) =>
      db
        .insertInto('pen_name')
        .values({ name: 'a', style: 'b' })
        .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doUpdateSet({ style: 'c' })),
    'insert into "pen_name" ("name", "style", "tenant_id", "account_id") values (?, ?, ?, ?) ' +
      `on conflict ("tenant_id", "name") do update set "style" = ? where ${own('pen_name')}`,
    ['a', 'b', 'acme', 'ada', 'c', 'acme', 'ada'],
  )
  becomesForUser(
    'and needs no condition when the key names the user',
    (db) =>
      db
        .insertInto('pen_name')
        .values({ name: 'a', style: 'b' })
        .onConflict((conflict) =>
          conflict.columns(['tenant_id', 'account_id', 'name']).doUpdateSet({ style: 'c' }),
        ),
    'insert into "pen_name" ("name", "style", "tenant_id", "account_id") values (?, ?, ?, ?) ' +
      'on conflict ("tenant_id", "account_id", "name") do update set "style" = ?',
    ['a', 'b', 'acme', 'ada', 'c'],
  )
  assertRefusedForUser(
    'and refused when it gives a row to another user',
    (db) => db.updateTable('draft').set({ ['account_id' as string]: 'bob' }),
    /Only the scope sets account_id/,
  )
  assertRefusedForUser(
    'and refused when it inserts one for another user',
    (db) => db.insertInto('draft').values({ id: '1', title: 'a', ['account_id' as string]: 'bob' }),
    /Only the scope sets account_id/,
  )
  assertRefusedForUser(
    'and refused when a conflict would give a row to another user',
    (db) =>
      db
        .insertInto('draft')
        .values({ id: '1', title: 'a' })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ ['account_id' as string]: 'bob' })),
    /Only the scope sets account_id/,
  )
})
