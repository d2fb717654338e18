/** A database that notes what is sent to it. */
import type { Database, Executor } from '../../../src/database/executor.ts'

/** What is sent to the database goes to `statements` as well. */
export function recorded(database: Database, statements: string[]): Database {
  const noting = <E extends Executor>(executor: E): E =>
    intercept(executor, {
      run: (...given: Parameters<Executor['run']>) => {
        statements.push(given[0])
        return executor.run(...given)
      },
    })
  return intercept(database, {
    executor: noting(database.executor),
    executorFor: (owner: string) => noting(database.executorFor(owner)),
    transaction: (...[work, options]: Parameters<Database['transaction']>) =>
      database.transaction((transaction) => work(noting(transaction)), options),
  })
}

/** The object with other members. Its methods keep their own `this`, which may have private members. */
function intercept<T extends object>(target: T, members: Record<string, unknown>): T {
  return new Proxy(target, {
    get: (_, name) => {
      if (Object.hasOwn(members, name)) return members[String(name)]
      const value = target[name as keyof T] // whatever name is asked for
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
