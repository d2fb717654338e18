import {
  ConstraintViolation,
  type Context,
  foldText,
  inTransaction,
  invalidField,
  type JsonPage,
  newId,
  now,
  publish,
  ServiceError,
} from '../../../src/index.ts'
import type { StoredWare, WareInput } from './schema.ts'
import { findRenderedWare, insertWare, type RenderedWare, type WarePageRange, warePage } from './sql.ts'

/** In the order of creation. */
export function listWares(context: Context, range: WarePageRange): Promise<JsonPage | null> {
  return warePage(context.data, range)
}

/** @throws ServiceError `notFound` */
export async function getWare(context: Context, id: string): Promise<RenderedWare> {
  const ware = await findRenderedWare(context.data, id)
  if (ware === null) throw new ServiceError('notFound', 'There is no such ware.')
  return ware
}

/** @throws ServiceError `invalid` for a category that does not exist */
export function createWare(context: Context, input: WareInput): Promise<StoredWare> {
  return inTransaction(context, async (inside) => {
    const moment = now(context)
    const ware: StoredWare = {
      id: newId(),
      name: input.name,
      description: input.description ?? null,
      price: input.price,
      isActive: input.isActive ?? true,
      categoryId: input.categoryId?.toLowerCase() ?? null,
      createdAt: moment,
      updatedAt: moment,
      version: 1,
    }
    await withKnownCategory(insertWare(inside.data, toRow(ware)))
    await publish(inside, 'ware.created', { wareId: ware.id, name: ware.name, price: ware.price })
    return ware
  })
}

function toRow(ware: StoredWare) {
  return {
    id: ware.id,
    name: ware.name,
    search_name: foldText(ware.name),
    description: ware.description,
    price: ware.price,
    is_active: ware.isActive,
    category_id: ware.categoryId,
    created_at: ware.createdAt,
    updated_at: ware.updatedAt,
    version: ware.version,
  }
}

async function withKnownCategory<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (error instanceof ConstraintViolation && error.rule === 'foreignKey')
      throw invalidField('categoryId', 'names no category')
    throw error
  }
}
