import type { Transaction } from './executor.ts'

/**
 * Runs a part of a transaction that may fail by itself: what it did is undone, and the transaction goes on. What it
 * has asked to run after the commit is run all the same.
 * @throws what `work` throws; when the database has ended the whole transaction meanwhile, that
 */
export async function inSavepoint<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
  await transaction.run('SAVEPOINT part', [], true)
  try {
    const value = await work()
    await transaction.run('RELEASE SAVEPOINT part', [], true)
    return value
  } catch (error) {
    await transaction.run('ROLLBACK TO SAVEPOINT part', [], true)
    await transaction.run('RELEASE SAVEPOINT part', [], true)
    throw error
  }
}
