import { randomUUID } from 'node:crypto'
import { type Context, inTransaction, publish, ServiceError } from '../../src/index.ts'
import type { Supplier, SupplierInput } from './schema.ts'
import { findSupplier, findSuppliers, insertSupplier } from './sql.ts'

/** Lists suppliers, the oldest first. */
export function listSuppliers(context: Context, limit: number): Promise<Supplier[]> {
  return findSuppliers(context, limit)
}

/** @throws ServiceError `notFound` */
export async function getSupplier(context: Context, id: string): Promise<Supplier> {
  const supplier = await findSupplier(context, id)
  if (supplier === null) throw new ServiceError('notFound', 'There is no such supplier.')
  return supplier
}

export function createSupplier(context: Context, { name, kind = 'MAKER' }: SupplierInput): Promise<Supplier> {
  return inTransaction(context, async (inside) => {
    const supplier = { id: randomUUID(), name, kind, createdAt: context.shared.clock().toISOString() }
    await insertSupplier(inside, { id: supplier.id, name, kind, created_at: supplier.createdAt })
    await publish(inside, 'supplier.created', { supplierId: supplier.id, name })
    return supplier
  })
}
