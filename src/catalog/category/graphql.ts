import type { GraphQLPart } from '../../core/feature/field.ts'
import { entity } from '../../database/read/entity.ts'
import { Category } from './schema.ts'

export const categoryEntity = entity(Category, { table: 'category' })

export const categoryGraphQL: GraphQLPart = {
  queries: {
    categories: {
      kind: 'list',
      entity: categoryEntity,
      description: 'Matching categories, in the order of creation by default.',
    },
  },
}
