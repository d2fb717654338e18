import type { Executor } from '../executor.ts'

interface Query {
  text: string
  values: unknown[]
}

/** An executor in the clothes of a `pg` client, for libraries that bring their own SQL. */
export function asPgClient(executor: Executor) {
  return {
    query: async ({ text, values }: Query) => {
      const { rows, affected } = await executor.run(text, values, true)
      return { rows, rowCount: Math.max(rows.length, affected) }
    },
  }
}
