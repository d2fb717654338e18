import type { Transaction } from './executor.ts'

/**
 * Runs a part of a transaction that may fail: its changes are rolled back, and the transaction continues. Listeners
 * that the part has registered for the commit stay registered.
 * @throws what `work` throws; the database error if the database has ended the whole transaction
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
