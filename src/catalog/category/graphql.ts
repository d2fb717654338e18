import type { GraphQLPart } from '../../core/feature/field.ts'
import { readModel } from '../../database/read/read-model.ts'
import { Category } from './schema.ts'

export const categoryEntity = readModel(Category, { table: 'category' })

export const categoryGraphQL: GraphQLPart = {
  queries: {
    categories: {
      kind: 'list',
      entity: categoryEntity,
      description: 'Matching categories, in the order of creation by default.',
    },
  },
}
