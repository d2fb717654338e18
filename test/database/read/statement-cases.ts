/** Requests and the exact statements that they become. */
import assert from 'node:assert/strict'
import { encodeRowCursor } from '../../../src/core/row-cursor.ts'
import { totalOrder } from '../../../src/database/read/order.ts'
import type { DatabaseName } from '../../support/databases.ts'
import { orders } from '../../support/graphql/entities.ts'

export interface Case extends Record<DatabaseName, string[]> {
  query: string
  variables?: Record<string, unknown>
  /** Parameters of each statement, without the tenant. */
  values: unknown[][]
}

/** The id of no row: statements do not depend on it. */
export const id = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
const cursor = cursorBehind('EUR', id)

export const cases: Record<string, Case> = {
  'a list reads the columns that are selected, and all rows up to the limit': {
    query: `
      { products { name } }`,
    values: [[10001]],
    sqlite: [
      `
        select string_agg("page"."json", ',') as "json", count(*) as "count" from (select
        concat('{"name":', json_quote("t0"."name"), '}') as "json" from "product" as "t0" where
        "t0"."tenant_id" = ? and (1 = 1) order by "t0"."id" limit ? + 0) as "page"`,
    ],
    postgres: [
      `
        select string_agg(format('{"name":%s}', to_json("page"."name")), ',' order by
        "page"."k0") as "json", count(*) as "count" from (select "t0"."id" as "id", "t0"."name"
        as "name", "t0"."id" as "k0" from "product" as "t0" where "t0"."tenant_id" = $1 and (1 =
        1) order by "t0"."id" limit $2) as "page"`,
    ],
  },
  'filters and sort keys become conditions and ORDER BY, with a parameter for each value': {
    query: `
      { products(where: { or: [{ price: { gt: 5 } }, { description: { eq: null } }], isActive: {
      neq: false } }, order: { name: DESC }) { id } }`,
    values: [[5, false, 10001]],
    sqlite: [
      `
        select string_agg(concat('{"id":"', "page"."id", '"}'), ',') as "json", count(*) as "count"
        from (select "t0"."id" as "id" from "product" as "t0" where "t0"."tenant_id" = ? and
        (likelihood((random() & 63) <> 0 or in_time("t0"."tenant_id"), 1.0) and ((((+"t0"."price" >
        ?) or ("t0"."description" is null))) and ((("t0"."is_active" = ?) is not true)))) order by
        "t0"."name" desc, "t0"."id" desc limit ? + 0) as "page"`,
    ],
    postgres: [
      `
        select string_agg(format('{"id":"%s"}', "page"."id"), ',' order by "page"."k0" collate
        "C" desc, "page"."k1" desc) as "json", count(*) as "count" from (select "t0"."id" as
        "id", "t0"."name" as "k0", "t0"."id" as "k1" from "product" as "t0" where
        "t0"."tenant_id" = $1 and ((((("t0"."price" > $2) or ("t0"."description" is null))) and
        ((("t0"."is_active" = $3) is not true)))) order by "t0"."name" collate "C" desc,
        "t0"."id" desc limit $4) as "page"`,
    ],
  },
  'what is said of a related row is a subquery of its own, restricted to the tenant too': {
    query: `
      { products(where: { category: { name: { in: ["a", "b"] } } }, order: { category: { name: ASC
      } }) { category { name } } }`,
    values: [[['a', 'b'], 10001]],
    sqlite: [
      `
        select string_agg(concat('{"category":', case when "t3"."id" is null then 'null' else
        concat('{"name":', json_quote("t3"."name"), '}') end, '}'), ',') as "json", count(*) as
        "count" from (select "t0"."id" as "id", "t0"."category_id" as "category_id" from "product"
        as "t0" where "t0"."tenant_id" = ? and (likelihood((random() & 63) <> 0 or
        in_time("t0"."tenant_id"), 1.0) and exists (select 1 as "found" from "category" as "t1"
        where "t1"."tenant_id" = ? and ("t1"."id" = "t0"."category_id" and likelihood((random() &
        15) <> 0 or in_time("t1"."tenant_id"), 1.0) and (("t1"."name" in (select value from
        json_each(?))))))) order by (select "t2"."name" as "value" from "category" as "t2" where
        "t2"."tenant_id" = ? and ("t2"."id" = "t0"."category_id")), "t0"."id" limit ? + 0) as "page"
        left join "category" as "t3" on "t3"."tenant_id" = ? and ("t3"."id" = "page"."category_id")`,
    ],
    postgres: [
      `
        select string_agg(format('{"category":%s}', case when "t4"."id" is null then 'null' else
        format('{"name":%s}', to_json("t4"."name")) end), ',' order by "page"."k0" collate "C"
        nulls first, "page"."k1") as "json", count(*) as "count" from (select "t0"."id" as "id",
        "t0"."category_id" as "category_id", (select "t1"."name" as "value" from "category" as
        "t1" where "t1"."tenant_id" = $1 and ("t1"."id" = "t0"."category_id")) as "k0",
        "t0"."id" as "k1" from "product" as "t0" where "t0"."tenant_id" = $2 and (exists (select
        1 as "found" from "category" as "t2" where "t2"."tenant_id" = $3 and ("t2"."id" =
        "t0"."category_id" and (("t2"."name" = any(cast($4 as text[]))))))) order by (select
        "t3"."name" as "value" from "category" as "t3" where "t3"."tenant_id" = $5 and
        ("t3"."id" = "t0"."category_id")) collate "C" nulls first, "t0"."id" limit $6) as "page"
        left join "category" as "t4" on "t4"."tenant_id" = $7 and ("t4"."id" =
        "page"."category_id")`,
    ],
  },
  'one row is found by its id': {
    query: `
      query ($id: UUID!) { product(id: $id) { price } }`,
    variables: { id },
    values: [[id]],
    sqlite: [
      `
        select concat('{"price":', format('%.15g', "t0"."price"), '}') as "json" from "product" as
        "t0" where "t0"."tenant_id" = ? and ("t0"."id" = ?)`,
    ],
    postgres: [
      `
        select format('{"price":%s}', trim_scale("t0"."price")) as "json" from "product" as "t0"
        where "t0"."tenant_id" = $1 and ("t0"."id" = $2)`,
    ],
  },
  'what is selected of related rows is in the same statement': {
    query: `
      query ($id: UUID!) { order(id: $id) { items { quantity product { name category { name } } }
      } }`,
    variables: { id },
    values: [[id]],
    sqlite: [
      `
        select concat('{"items":', (select '[' || coalesce(string_agg(concat('{"quantity":',
        "t1"."quantity", ',"product":', case when "t2"."id" is null then 'null' else
        concat('{"name":', json_quote("t2"."name"), ',"category":', coalesce((select
        concat('{"name":', json_quote("t3"."name"), '}') as "json" from "category" as "t3" where
        "t3"."tenant_id" = ? and ("t3"."id" = "t2"."category_id")), 'null'), '}') end, '}'), ','
        order by "t1"."order_id", "t1"."position"), '') || ']' as "json" from "sales_order_item" as
        "t1" left join "product" as "t2" on "t2"."tenant_id" = ? and ("t2"."id" = "t1"."product_id")
        where "t1"."tenant_id" = ? and ("t1"."order_id" = "t0"."id")), '}') as "json" from
        "sales_order" as "t0" where "t0"."tenant_id" = ? and ("t0"."id" = ?)`,
    ],
    postgres: [
      `
        select format('{"items":%s}', (select '[' ||
        coalesce(string_agg(format('{"quantity":%s,"product":%s}', "t1"."quantity", case when
        "t2"."id" is null then 'null' else format('{"name":%s,"category":%s}',
        to_json("t2"."name"), coalesce((select format('{"name":%s}', to_json("t3"."name")) as
        "json" from "category" as "t3" where "t3"."tenant_id" = $1 and ("t3"."id" =
        "t2"."category_id")), 'null')) end), ',' order by "t1"."order_id", "t1"."position"), '')
        || ']' as "json" from "sales_order_item" as "t1" left join "product" as "t2" on
        "t2"."tenant_id" = $2 and ("t2"."id" = "t1"."product_id") where "t1"."tenant_id" = $3
        and ("t1"."order_id" = "t0"."id"))) as "json" from "sales_order" as "t0" where
        "t0"."tenant_id" = $4 and ("t0"."id" = $5)`,
    ],
  },
  'what is selected under several names is read once': {
    query: `
      { products { a: category { id } b: category { name } one: name two: name } }`,
    values: [[10001]],
    sqlite: [
      `
        select string_agg("page"."json", ',') as "json", count(*) as "count" from (select
        concat('{"category":', case when "t1"."id" is null then 'null' else concat('{"id":"',
        "t1"."id", '","name":', json_quote("t1"."name"), '}') end, ',"name":',
        json_quote("t0"."name"), '}') as "json" from "product" as "t0" left join "category" as "t1"
        on "t1"."tenant_id" = ? and ("t1"."id" = "t0"."category_id") where "t0"."tenant_id" = ? and
        (1 = 1) order by "t0"."id" limit ? + 0) as "page"`,
    ],
    postgres: [
      `
        select string_agg(format('{"category":%s,"name":%s}', case when "t1"."id" is null then
        'null' else format('{"id":"%s","name":%s}', "t1"."id", to_json("t1"."name")) end,
        to_json("page"."name")), ',' order by "page"."k0") as "json", count(*) as "count" from
        (select "t0"."id" as "id", "t0"."category_id" as "category_id", "t0"."name" as "name",
        "t0"."id" as "k0" from "product" as "t0" where "t0"."tenant_id" = $1 and (1 = 1) order
        by "t0"."id" limit $2) as "page" left join "category" as "t1" on "t1"."tenant_id" = $3
        and ("t1"."id" = "page"."category_id")`,
    ],
  },
  'a page has one row more than it shows, and the sort keys for its cursors': {
    query: `
      { orders(first: 3) { nodes { number } } }`,
    values: [[4]],
    sqlite: [
      `
        select concat('{"number":', "page"."number", '}') as "json0", "page"."k0" as "k0" from
        (select "t0"."id" as "id", "t0"."number" as "number", "t0"."id" as "k0" from "sales_order"
        as "t0" where "t0"."tenant_id" = ? and (1 = 1) order by "t0"."id" limit ? + 0) as "page"`,
    ],
    postgres: [
      `
        select format('{"number":%s}', "page"."number") as "json0", "page"."k0" as "k0" from
        (select "t0"."id" as "id", "t0"."number" as "number", "t0"."id" as "k0" from
        "sales_order" as "t0" where "t0"."tenant_id" = $1 and (1 = 1) order by "t0"."id" limit
        $2) as "page" order by "page"."k0"`,
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
        select concat('{"id":"', "page"."id", '"}') as "json0", "page"."k0" as "k0", "page"."k1" as
        "k1" from (select "t0"."id" as "id", "t0"."currency" as "k0", "t0"."id" as "k1" from
        "sales_order" as "t0" where "t0"."tenant_id" = ? and (likelihood((random() & 63) <> 0 or
        in_time("t0"."tenant_id"), 1.0) and 1 = 1 and ((((("t0"."currency" < ? or "t0"."currency" is
        null)))) or ((("t0"."currency" = ?) and ("t0"."id" < ?))))) order by "t0"."currency" desc,
        "t0"."id" desc limit ? + 0) as "page"`,
      `
        select count(*) as "count" from "sales_order" as "t0" where "t0"."tenant_id" = ? and
        (likelihood((random() & 63) <> 0 or in_time("t0"."tenant_id"), 1.0) and 1 = 1)`,
      `
        select (((((("t0"."currency" < ? or "t0"."currency" is null)))) or ((("t0"."currency" = ?)
        and ("t0"."id" < ?))))) is true as "isAfter" from "sales_order" as "t0" where
        "t0"."tenant_id" = ? and (likelihood((random() & 63) <> 0 or in_time("t0"."tenant_id"),
        1.0) and 1 = 1) order by "t0"."currency" desc, "t0"."id" desc limit 1 + 0`,
    ],
    postgres: [
      `
        select format('{"id":"%s"}', "page"."id") as "json0", "page"."k0" as "k0", "page"."k1"
        as "k1" from (select "t0"."id" as "id", "t0"."currency" as "k0", "t0"."id" as "k1" from
        "sales_order" as "t0" where "t0"."tenant_id" = $1 and (1 = 1 and ((((("t0"."currency"
        collate "C" < $2 or "t0"."currency" is null)))) or ((("t0"."currency" = $3) and
        ("t0"."id" < $4))))) order by "t0"."currency" collate "C" desc nulls last, "t0"."id"
        desc limit $5) as "page" order by "page"."k0" collate "C" desc nulls last, "page"."k1"
        desc`,
      `
        select count(*) as "count" from "sales_order" as "t0" where "t0"."tenant_id" = $1 and (1 =
        1)`,
      `
        select (((((("t0"."currency" collate "C" < $1 or "t0"."currency" is null)))) or
        ((("t0"."currency" = $2) and ("t0"."id" < $3))))) is true as "isAfter" from "sales_order"
        as "t0" where "t0"."tenant_id" = $4 and (1 = 1) order by "t0"."currency" collate "C" desc
        nulls last, "t0"."id" desc limit 1`,
    ],
  },
  'the last rows are read in reverse, and only keys when nothing else is selected': {
    query: `
      { orders(last: 2, where: { items: { some: { quantity: { gte: 2 } } } }) { pageInfo {
      startCursor } } }`,
    values: [[2, 3]],
    sqlite: [
      `
        select "page"."k0" as "k0" from (select "t0"."id" as "id", "t0"."id" as "k0" from
        "sales_order" as "t0" where "t0"."tenant_id" = ? and (likelihood((random() & 63) <> 0 or
        in_time("t0"."tenant_id"), 1.0) and exists (select 1 as "found" from "sales_order_item" as
        "t1" where "t1"."tenant_id" = ? and ("t1"."order_id" = "t0"."id" and likelihood((random()
        & 15) <> 0 or in_time("t1"."tenant_id"), 1.0) and +"t1"."quantity" >= ?))) order by
        "t0"."id" desc limit ? + 0) as "page"`,
    ],
    postgres: [
      `
        select "page"."k0" as "k0" from (select "t0"."id" as "id", "t0"."id" as "k0" from
        "sales_order" as "t0" where "t0"."tenant_id" = $1 and (exists (select 1 as "found" from
        "sales_order_item" as "t1" where "t1"."tenant_id" = $2 and ("t1"."order_id" = "t0"."id"
        and "t1"."quantity" >= $3))) order by "t0"."id" desc limit $4) as "page" order by
        "page"."k0" desc`,
    ],
  },
  'a total alone reads no rows': {
    query: `
      { orders { totalCount } }`,
    values: [[]],
    sqlite: [
      `
        select count(*) as "count" from "sales_order" as "t0" where "t0"."tenant_id" = ? and
        (likelihood((random() & 63) <> 0 or in_time("t0"."tenant_id"), 1.0) and 1 = 1)`,
    ],
    postgres: [
      `
        select count(*) as "count" from "sales_order" as "t0" where "t0"."tenant_id" = $1 and (1 =
        1)`,
    ],
  },
}

/** A place in the order of falling currencies. */
function cursorBehind(...place: [string, string]): string {
  const field = orders.fields.get('currency')
  assert.ok(field)
  const order = totalOrder(orders, [{ path: [], field, descending: true }])
  return encodeRowCursor(orders, order, place)
}
