/** The peers' databases, and the same rows in each. */
import pg from 'pg'
import { databaseAt } from '../row/contest.ts'
import { rows } from '../speed/works.ts'
import { categories } from './contender.ts'

/** Rows of `i`, `name`, `description`, `price` and `category`, the number of a category; as `product` makes them. */
export const productRows = `(
  SELECT i, 'Walnut desk ' || i AS name, i AS price, i % ${categories} AS category,
    'A desk of solid walnut with drawers on both sides, number ' || i || ' of its kind.' AS description
  FROM generate_series(0, ${rows - 1}) AS i ORDER BY i
) AS given`

/** Rows of `i` and `name`. */
export const categoryRows = `(
  SELECT i, 'Category ' || i AS name FROM generate_series(0, ${categories - 1}) AS i ORDER BY i
) AS given`

/** @returns where it is */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await execute(serverUrl, `CREATE DATABASE ${name}`)
  return databaseAt(serverUrl, name)
}

/** @returns the rows of the last statement */
export async function execute<Row extends object>(databaseUrl: string, statements: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const results = [await client.query<Row>(statements)].flat()
    return results.at(-1)?.rows ?? []
  } finally {
    await client.end()
  }
}
