/** The exact statements of each kind of query, on both databases, and that they run there. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { totalOrder } from '../../src/database/read/order.ts'
import { encodeCursor } from '../../src/graphql/argument/cursor.ts'
import { type DatabaseName, onEachDatabase } from '../harness/databases.ts'
import { startService, type TestService, type TestTenant } from '../harness/service.ts'
import { orders, products } from './filter/entities.ts'
import { type Recorder, recorderOf, type Sent } from './statement/recorder.ts'

interface Case extends Record<DatabaseName, string[]> {
  query: string
  variables?: Record<string, unknown>
  /** Parameters of each statement, without the tenant. */
  values: unknown[][]
}

const id = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
const cursor = cursorBehind('EUR', id)

const cases: Record<string, Case> = {
  'a list reads the columns that are selected, and all rows up to the limit': {
    query: `
      { products { name } }`,
    values: [[10001]],
    sqlite: [
      `
        select string_agg(format('{"name":%s}', json_quote("page"."name")), ',') as "json",
        count(*) as "count" from (select "t0"."id" as "id", "t0"."name" as "name" from "product"
        as "t0" where "t0"."tenant_id" = ? and (1 = 1) order by "t0"."id" limit ? + 0) as "page"`,
    ],
    postgres: [
      `
        select string_agg('{"name":' || cast(to_json("page"."name") as text) || '}', ',' order by
        "k0") as "json", count(*) as "count" from (select "t0"."id" as "id", "t0"."name" as
        "name", "t0"."id" as "k0" from "product" as "t0" where "t0"."tenant_id" = $1 and (1 = 1)
        order by "t0"."id" limit $2) as "page"`,
    ],
  },
  'filters and sort keys become conditions and ORDER BY, with a parameter for each value': {
    query: `
      { products(where: { or: [{ price: { gt: 5 } }, { description: { eq: null } }], isActive: {
      neq: false } }, order: { name: DESC }) { id } }`,
    values: [[5, false, 10001]],
    sqlite: [
      `
        select string_agg(format('{"id":"%s"}', "page"."id"), ',') as "json", count(*) as "count"
        from (select "t0"."id" as "id" from "product" as "t0" where "t0"."tenant_id" = ? and
        ((((("t0"."price" > ?) or ("t0"."description" is null))) and ((("t0"."is_active" = ?) is
        not true)))) order by "t0"."name" desc, "t0"."id" limit ? + 0) as "page"`,
    ],
    postgres: [
      `
        select string_agg('{"id":' || '"' || cast("page"."id" as text) || '"' || '}', ',' order by
        "k0" collate "C" desc, "k1") as "json", count(*) as "count" from (select "t0"."id" as
        "id", "t0"."name" as "k0", "t0"."id" as "k1" from "product" as "t0" where "t0"."tenant_id"
        = $1 and ((((("t0"."price" > $2) or ("t0"."description" is null))) and ((("t0"."is_active"
        = $3) is not true)))) order by "t0"."name" collate "C" desc, "t0"."id" limit $4) as "page"`,
    ],
  },
  'what is said of a related row is a subquery of its own, restricted to the tenant too': {
    query: `
      { products(where: { category: { name: { in: ["a", "b"] } } }, order: { category: { name: ASC
      } }) { category { name } } }`,
    values: [[['a', 'b'], 10001]],
    sqlite: [
      `
        select string_agg(format('{"category":%s}', coalesce((select format('{"name":%s}',
        json_quote("t3"."name")) as "json" from "category" as "t3" where "t3"."tenant_id" = ? and
        ("t3"."id" = "page"."category_id")), 'null')), ',') as "json", count(*) as "count" from
        (select "t0"."id" as "id", "t0"."category_id" as "category_id" from "product" as "t0"
        where "t0"."tenant_id" = ? and (exists (select 1 as "found" from "category" as "t1" where
        "t1"."tenant_id" = ? and ("t1"."id" = "t0"."category_id" and (("t1"."name" in (select
        value from json_each(?))))))) order by (select "t2"."name" as "value" from "category" as
        "t2" where "t2"."tenant_id" = ? and ("t2"."id" = "t0"."category_id")), "t0"."id" limit ? +
        0) as "page"`,
    ],
    postgres: [
      `
        select string_agg('{"category":' || coalesce((select '{"name":' ||
        cast(to_json("t4"."name") as text) || '}' as "json" from "category" as "t4" where
        "t4"."tenant_id" = $1 and ("t4"."id" = "page"."category_id")), 'null') || '}', ',' order
        by "k0" collate "C" nulls first, "k1") as "json", count(*) as "count" from (select
        "t0"."id" as "id", "t0"."category_id" as "category_id", (select "t1"."name" as "value"
        from "category" as "t1" where "t1"."tenant_id" = $2 and ("t1"."id" = "t0"."category_id"))
        as "k0", "t0"."id" as "k1" from "product" as "t0" where "t0"."tenant_id" = $3 and (exists
        (select 1 as "found" from "category" as "t2" where "t2"."tenant_id" = $4 and ("t2"."id" =
        "t0"."category_id" and (("t2"."name" = any(cast($5 as text[]))))))) order by (select
        "t3"."name" as "value" from "category" as "t3" where "t3"."tenant_id" = $6 and ("t3"."id"
        = "t0"."category_id")) collate "C" nulls first, "t0"."id" limit $7) as "page"`,
    ],
  },
  'one row is found by its id': {
    query: `
      query ($id: UUID!) { product(id: $id) { price } }`,
    variables: { id },
    values: [[id]],
    sqlite: [
      `
        select format('{"price":%.15g}', "t0"."price") as "json" from "product" as "t0" where
        "t0"."tenant_id" = ? and ("t0"."id" = ?)`,
    ],
    postgres: [
      `
        select '{"price":' || cast(trim_scale("t0"."price") as text) || '}' as "json" from
        "product" as "t0" where "t0"."tenant_id" = $1 and ("t0"."id" = $2)`,
    ],
  },
  'what is selected of related rows is in the same statement': {
    query: `
      query ($id: UUID!) { order(id: $id) { items { quantity product { name } } } }`,
    variables: { id },
    values: [[id]],
    sqlite: [
      `
        select format('{"items":%s}', (select '[' ||
        coalesce(string_agg(format('{"quantity":%.15g,"product":%s}', "t1"."quantity",
        coalesce((select format('{"name":%s}', json_quote("t2"."name")) as "json" from "product"
        as "t2" where "t2"."tenant_id" = ? and ("t2"."id" = "t1"."product_id")), 'null')), ','
        order by "t1"."order_id", "t1"."position"), '') || ']' as "json" from "sales_order_item"
        as "t1" where "t1"."tenant_id" = ? and ("t1"."order_id" = "t0"."id"))) as "json" from
        "sales_order" as "t0" where "t0"."tenant_id" = ? and ("t0"."id" = ?)`,
    ],
    postgres: [
      `
        select '{"items":' || (select '[' || coalesce(string_agg('{"quantity":' ||
        cast("t1"."quantity" as text) || ',"product":' || coalesce((select '{"name":' ||
        cast(to_json("t2"."name") as text) || '}' as "json" from "product" as "t2" where
        "t2"."tenant_id" = $1 and ("t2"."id" = "t1"."product_id")), 'null') || '}', ',' order by
        "t1"."order_id", "t1"."position"), '') || ']' as "json" from "sales_order_item" as "t1"
        where "t1"."tenant_id" = $2 and ("t1"."order_id" = "t0"."id")) || '}' as "json" from
        "sales_order" as "t0" where "t0"."tenant_id" = $3 and ("t0"."id" = $4)`,
    ],
  },
  'a page has one row more than it shows, and the sort keys for its cursors': {
    query: `
      { orders(first: 3) { nodes { number } } }`,
    values: [[4]],
    sqlite: [
      `
        select format('{"number":%.15g}', "t0"."number") as "json0", "t0"."id" as "k0" from
        "sales_order" as "t0" where "t0"."tenant_id" = ? and (1 = 1) order by "t0"."id" limit ? +
        0`,
    ],
    postgres: [
      `
        select '{"number":' || cast("t0"."number" as text) || '}' as "json0", "t0"."id" as "k0"
        from "sales_order" as "t0" where "t0"."tenant_id" = $1 and (1 = 1) order by "t0"."id"
        limit $2`,
    ],
  },
  'a page behind a cursor begins there; the total and what is before it are asked for by themselves': {
    query: `
      query ($after: String) { orders(order: { currency: DESC }, after: $after) { nodes { id }
      totalCount pageInfo { hasPreviousPage } } }`,
    variables: { after: cursor },
    values: [['EUR', 'EUR', id, 11], [], ['EUR', 'EUR', id]],
    sqlite: [
      `
        select format('{"id":"%s"}', "t0"."id") as "json0", "t0"."currency" as "k0", "t0"."id" as
        "k1" from "sales_order" as "t0" where "t0"."tenant_id" = ? and (1 = 1 and
        ((((("t0"."currency" < ? or "t0"."currency" is null)))) or ((("t0"."currency" = ?) and
        ("t0"."id" > ?))))) order by "t0"."currency" desc, "t0"."id" limit ? + 0`,
      `
        select count(*) as "count" from "sales_order" as "t0" where "t0"."tenant_id" = ? and (1 =
        1)`,
      `
        select 1 as "found" from "sales_order" as "t0" where "t0"."tenant_id" = ? and (1 = 1 and
        (((((("t0"."currency" < ? or "t0"."currency" is null)))) or ((("t0"."currency" = ?) and
        ("t0"."id" > ?))))) is not true) limit 1 + 0`,
    ],
    postgres: [
      `
        select '{"id":' || '"' || cast("t0"."id" as text) || '"' || '}' as "json0",
        "t0"."currency" as "k0", "t0"."id" as "k1" from "sales_order" as "t0" where
        "t0"."tenant_id" = $1 and (1 = 1 and ((((("t0"."currency" collate "C" < $2 or
        "t0"."currency" is null)))) or ((("t0"."currency" = $3) and ("t0"."id" > $4))))) order by
        "t0"."currency" collate "C" desc nulls last, "t0"."id" limit $5`,
      `
        select count(*) as "count" from "sales_order" as "t0" where "t0"."tenant_id" = $1 and (1 =
        1)`,
      `
        select 1 as "found" from "sales_order" as "t0" where "t0"."tenant_id" = $1 and (1 = 1 and
        (((((("t0"."currency" collate "C" < $2 or "t0"."currency" is null)))) or
        ((("t0"."currency" = $3) and ("t0"."id" > $4))))) is not true) limit 1`,
    ],
  },
  'the last rows are read in reverse, and only keys when nothing else is selected': {
    query: `
      { orders(last: 2, where: { items: { some: { quantity: { gte: 2 } } } }) { pageInfo {
      startCursor } } }`,
    values: [[2, 3]],
    sqlite: [
      `
        select "t0"."id" as "k0" from "sales_order" as "t0" where "t0"."tenant_id" = ? and (exists
        (select 1 as "found" from "sales_order_item" as "t1" where "t1"."tenant_id" = ? and
        ("t1"."order_id" = "t0"."id" and "t1"."quantity" >= ?))) order by "t0"."id" desc limit ? +
        0`,
    ],
    postgres: [
      `
        select "t0"."id" as "k0" from "sales_order" as "t0" where "t0"."tenant_id" = $1 and
        (exists (select 1 as "found" from "sales_order_item" as "t1" where "t1"."tenant_id" = $2
        and ("t1"."order_id" = "t0"."id" and "t1"."quantity" >= $3))) order by "t0"."id" desc
        limit $4`,
    ],
  },
  'a total alone reads no rows': {
    query: `
      { orders { totalCount } }`,
    values: [[]],
    sqlite: [
      `
        select count(*) as "count" from "sales_order" as "t0" where "t0"."tenant_id" = ? and (1 =
        1)`,
    ],
    postgres: [
      `
        select count(*) as "count" from "sales_order" as "t0" where "t0"."tenant_id" = $1 and (1 =
        1)`,
    ],
  },
}

onEachDatabase('In GraphQL', (database) => {
  let service: TestService
  let tenant: TestTenant
  let recorder: Recorder
  before(async () => {
    service = await startService(database)
    tenant = await service.newTenant()
    recorder = await recorderOf(service, tenant)
  })
  after(() => service.stop())

  /** Each table has a name of its own, and is restricted to the tenant by that name. */
  const assertRestricted = ({ sql, parameters }: Sent) => {
    const aliases = [...sql.matchAll(/ as "(t\d+)"/g)].map(([, alias]) => alias)
    const restricted = [...sql.matchAll(/"(t\d+)"\."tenant_id" = [?$]/g)].map(([, alias]) => alias)
    assert.deepEqual(restricted.toSorted(), aliases.toSorted(), sql)
    assert.equal(parameters.filter((value) => value === tenant.id).length, aliases.length)
  }

  for (const [title, { query, variables, values, [database]: expected }] of Object.entries(cases)) {
    it(title, async () => {
      const statements = await recorder.statementsOf(query, variables)
      assert.deepEqual(
        statements.map(({ sql }) => sql),
        expected.map((text) => text.trim().replaceAll(/\s+/g, ' ')),
      )
      assert.deepEqual(
        statements.map(({ parameters }) => parameters.filter((value) => value !== tenant.id)),
        values,
      )
      statements.forEach(assertRestricted)
    })
  }

  it('each field of the root is one statement', async () => {
    const statements = await recorder.statementsOf(`{
      a: products { id } b: products { name } categories { id } orders { nodes { id } } __typename
      product(id: "${id}") { category { name } } order(id: "${id}") { items { product { category { id } } } }
    }`)
    assert.equal(statements.length, 6)
    statements.forEach(assertRestricted)
  })

  it('no column is read that nobody asked for', async () => {
    for (const { name, column } of products.fields.values()) {
      const [statement] = await recorder.statementsOf(`{ products { ${name} } }`)
      const read = [...products.fields.values()].filter((other) =>
        statement?.sql.includes(`"t0"."${other.column}"`),
      )
      const wanted = [...new Set(['id', column])]
      assert.deepEqual(
        read.map((field) => field.column),
        wanted,
      )
    }
  })
})

/** A place in the order of falling currencies. */
function cursorBehind(...place: [string, string]): string {
  const field = orders.fields.get('currency')
  assert.ok(field)
  const order = totalOrder(orders, [{ path: [], field, descending: true }])
  return encodeCursor(orders, order, place)
}
