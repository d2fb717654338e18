/** Which statements a service sends for tenants, while it is watched. */
import type { Database } from '../../../src/database/executor.ts'

/** @returns the statements with this part, until it is stopped */
export function watchReads(database: Database, part: string) {
  const reads: string[] = []
  let atOnce = 0
  let mostAtOnce = 0
  const executorFor = database.executorFor
  database.executorFor = (owner) => {
    const executor = executorFor.call(database, owner)
    return {
      dialect: executor.dialect,
      run: (sql, parameters, reusable) => {
        if (!sql.includes(part)) return executor.run(sql, parameters, reusable)
        reads.push(sql)
        mostAtOnce = Math.max(mostAtOnce, ++atOnce)
        return executor.run(sql, parameters, reusable).finally(() => atOnce--)
      },
    }
  }
  const stop = (): void => {
    database.executorFor = executorFor
  }
  return { reads, mostAtOnce: () => mostAtOnce, stop }
}
