/** Operations on products. */

import { type Context, now } from '../../core/context.ts'
import { invalidField, ServiceError } from '../../core/errors.ts'
import { publish } from '../../core/events/publish.ts'
import { newId } from '../../core/id.ts'
import { CallerTime } from '../../core/limits/caller-time.ts'
import type { Precondition } from '../../core/precondition.ts'
import { inTransaction } from '../../core/transaction.ts'
import { ConstraintViolation } from '../../database/executor.ts'
import { foldText } from '../../database/fold-text.ts'
import type { JsonPage } from '../../database/json-page.ts'
import type { ProductInput, ProductUpdate, StoredProduct } from './schema.ts'
import {
  activeProductPage,
  deleteProductRow,
  findProductForUpdate,
  findProductsById,
  findRenderedProduct,
  foundProductPage,
  insertProduct,
  type ProductPageRange,
  productPage,
  type RenderedProduct,
  replaceProduct,
} from './sql.ts'

/** In UTF-16 code units. No name contains a longer term. */
const maxTermLength = 1024

/** Active or not, in the order of creation. */
export function listProducts(context: Context, range: ProductPageRange): Promise<JsonPage | null> {
  return productPage(context.data, range)
}

export function listActiveProducts(context: Context, range: ProductPageRange): Promise<JsonPage | null> {
  return activeProductPage(context.data, range, new CallerTime(context))
}

/** @throws ServiceError `invalid` for a term that is empty, too long or not valid text */
export function searchProducts(
  context: Context,
  term: string,
  range: ProductPageRange,
): Promise<JsonPage | null> {
  if (term.length > maxTermLength) {
    throw new ServiceError('invalid', `The search term is longer than ${maxTermLength} characters.`)
  }
  const folded = foldText(term.trim())
  if (folded === '') throw new ServiceError('invalid', 'The search term is empty.')
  if (!term.isWellFormed() || term.includes('\0'))
    throw new ServiceError('invalid', 'The search term is not valid text.')
  return foundProductPage(context.data, folded, { range, time: new CallerTime(context) })
}

/** @throws ServiceError `notFound` */
export async function getProduct(context: Context, id: string): Promise<RenderedProduct> {
  const product = await findRenderedProduct(context.data, id)
  if (product === null) throw noSuchProduct()
  return product
}

/** @param ids in lower case @returns those that exist, by id */
export async function findProducts(
  context: Context,
  ids: readonly string[],
): Promise<Map<string, StoredProduct>> {
  const products = await findProductsById(context.data, ids)
  return new Map(products.map((product) => [product.id, product]))
}

/** @throws ServiceError `invalid` for a category that does not exist */
export function createProduct(context: Context, input: ProductInput): Promise<StoredProduct> {
  return inTransaction(context, async (inside) => {
    const moment = now(context)
    const product: StoredProduct = {
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
    await withKnownCategory(insertProduct(inside.data, { ...toRow(product), created_at: moment }))
    await publish(inside, 'product.created', {
      productId: product.id,
      name: product.name,
      price: product.price,
    })
    return product
  })
}

/**
 * Omitted members stay unchanged.
 * @throws ServiceError `notFound`, `preconditionFailed`, or `invalid` for a category that does not exist
 */
export function updateProduct(
  context: Context,
  id: string,
  input: Partial<ProductUpdate>,
  precondition: Precondition,
): Promise<StoredProduct> {
  return inTransaction(context, async (inside) => {
    const before = await lockProduct(inside, id)
    precondition?.(before)
    const product: StoredProduct = {
      ...before,
      name: input.name ?? before.name,
      description: input.description === undefined ? before.description : input.description,
      price: input.price ?? before.price,
      isActive: input.isActive ?? before.isActive,
      categoryId:
        input.categoryId === undefined ? before.categoryId : (input.categoryId?.toLowerCase() ?? null),
      updatedAt: now(context),
      version: before.version + 1,
    }
    await withKnownCategory(replaceProduct(inside.data, toRow(product)))
    const { name, price, isActive } = product
    await publish(inside, 'product.updated', { productId: id, name, price, isActive })
    return product
  })
}

/** @throws ServiceError `notFound`, `preconditionFailed` */
export function deleteProduct(context: Context, id: string, precondition: Precondition): Promise<void> {
  return inTransaction(context, async (inside) => {
    const before = await lockProduct(inside, id)
    precondition?.(before)
    await deleteProductRow(inside.data, id)
    await publish(inside, 'product.deleted', { productId: id })
  })
}

function toRow(product: StoredProduct) {
  return {
    id: product.id,
    name: product.name,
    search_name: foldText(product.name),
    description: product.description,
    price: product.price,
    is_active: product.isActive,
    category_id: product.categoryId,
    updated_at: product.updatedAt,
    version: product.version,
  }
}

/** Locks the product until the transaction ends. */
async function lockProduct(inside: Context, id: string): Promise<StoredProduct> {
  const product = await findProductForUpdate(inside.data, id)
  if (product === null) throw noSuchProduct()
  return product
}

function noSuchProduct(): ServiceError {
  return new ServiceError('notFound', 'There is no such product.')
}

async function withKnownCategory<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (error instanceof ConstraintViolation && error.rule === 'foreignKey') {
      throw invalidField('categoryId', 'names no category')
    }
    throw error
  }
}
