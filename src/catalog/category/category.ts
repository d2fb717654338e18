/** Operations on categories. */
import { type Context, now } from '../../core/context.ts'
import { invalidField, ServiceError } from '../../core/errors.ts'
import { publish } from '../../core/events/publish.ts'
import { newId } from '../../core/id.ts'
import type { Precondition } from '../../core/precondition.ts'
import { inTransaction } from '../../core/transaction.ts'
import { ConstraintViolation, isDuplicate } from '../../database/executor.ts'
import type { JsonPage } from '../../database/json-page.ts'
import type { CategoryInput, StoredCategory } from './schema.ts'
import {
  categoryPage,
  deleteCategoryRow,
  findCategory,
  findCategoryForUpdate,
  insertCategory,
  replaceCategory,
} from './sql.ts'

/** In the order of creation. */
export function listCategories(
  context: Context,
  range: { after: string; limit: number },
): Promise<JsonPage | null> {
  return categoryPage(context.data, range)
}

/** @throws ServiceError `notFound` */
export async function getCategory(context: Context, id: string): Promise<StoredCategory> {
  const category = await findCategory(context.data, id)
  if (category === null) throw noSuchCategory()
  return category
}

/** @throws ServiceError `invalid` for a name that is taken, without regard to case */
export function createCategory(context: Context, input: CategoryInput): Promise<StoredCategory> {
  return inTransaction(context, async (inside) => {
    const moment = now(context)
    const { name } = input
    const category = { id: newId(), name, createdAt: moment, updatedAt: moment, version: 1 }
    await refuseDuplicate(insertCategory(inside.data, { ...toRow(category), created_at: moment }))
    await publish(inside, 'category.created', { categoryId: category.id, name })
    return category
  })
}

/** @throws ServiceError `notFound`, `preconditionFailed`, or `invalid` for a name that is taken */
export function updateCategory(
  context: Context,
  id: string,
  input: CategoryInput,
  precondition: Precondition,
): Promise<StoredCategory> {
  return inTransaction(context, async (inside) => {
    const before = await lockCategory(inside, id)
    precondition?.(before)
    const category = { ...before, ...input, updatedAt: now(context), version: before.version + 1 }
    await refuseDuplicate(replaceCategory(inside.data, toRow(category)))
    await publish(inside, 'category.updated', { categoryId: id, name: category.name })
    return category
  })
}

/** @throws ServiceError `notFound`, `preconditionFailed`, or `invalid` while products are in the category */
export function deleteCategory(context: Context, id: string, precondition: Precondition): Promise<void> {
  return inTransaction(context, async (inside) => {
    const before = await lockCategory(inside, id)
    precondition?.(before)
    await refuseInUse(deleteCategoryRow(inside.data, id))
    await publish(inside, 'category.deleted', { categoryId: id })
  })
}

async function lockCategory(inside: Context, id: string): Promise<StoredCategory> {
  const category = await findCategoryForUpdate(inside.data, id)
  if (category === null) throw noSuchCategory()
  return category
}

function toRow(category: StoredCategory) {
  return {
    id: category.id,
    name: category.name,
    name_key: category.name.normalize('NFC').toLowerCase(),
    updated_at: category.updatedAt,
    version: category.version,
  }
}

async function refuseDuplicate(write: Promise<void>): Promise<void> {
  try {
    await write
  } catch (error) {
    if (isDuplicate(error, 'name_key')) throw invalidField('name', 'is taken by another category')
    throw error
  }
}

async function refuseInUse(write: Promise<void>): Promise<void> {
  try {
    await write
  } catch (error) {
    if (error instanceof ConstraintViolation && error.rule === 'foreignKey') {
      throw new ServiceError('invalid', 'The category has products and cannot be deleted.', { cause: error })
    }
    throw error
  }
}

function noSuchCategory(): ServiceError {
  return new ServiceError('notFound', 'There is no such category.')
}
