import { Type } from 'typebox'
import { type GraphQLPart, mutation } from '../../core/feature/field.ts'
import { Uuid } from '../../core/schema/schema.ts'
import { readModel } from '../../database/read/read-model.ts'
import { categoryEntity } from '../category/graphql.ts'
import { createProduct, deleteProduct, updateProduct } from './product.ts'
import { Product, ProductInput } from './schema.ts'

export const productEntity = readModel(Product, {
  table: 'product',
  indexes: [['createdAt'], ['price'], ['name']],
  relations: {
    category: {
      kind: 'one',
      entity: categoryEntity,
      on: { id: 'category_id' },
      description: 'The category of the product, if any',
    },
  },
})

const CreateProductInput = Type.Object(ProductInput.properties, { $id: 'CreateProductInput' })

const UpdateProductInput = Type.Object(Type.Partial(ProductInput).properties, {
  $id: 'UpdateProductInput',
  description: 'Omitted members stay unchanged.',
})

export const productGraphQL: GraphQLPart = {
  queries: {
    products: {
      kind: 'list',
      entity: productEntity,
      access: 'public',
      description: 'Matching products, in the order of creation by default.',
    },
    product: { kind: 'one', entity: productEntity, description: 'The product with this id, or null.' },
  },
  mutations: {
    createProduct: mutation({
      entity: productEntity,
      description: 'Creates a product.',
      args: { input: CreateProductInput },
      run: async (inside, { input }) => (await createProduct(inside, input)).id,
    }),
    updateProduct: mutation({
      entity: productEntity,
      description: 'Changes a product.',
      args: { id: Uuid, input: UpdateProductInput },
      run: async (inside, { id, input }) => (await updateProduct(inside, id, input, null)).id,
    }),
    deleteProduct: mutation({
      entity: productEntity,
      description: 'Deletes a product, and returns its last state.',
      args: { id: Uuid },
      answers: 'before',
      run: async (inside, { id }) => {
        await deleteProduct(inside, id, null)
        return id
      },
    }),
  },
}
